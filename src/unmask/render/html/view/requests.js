// Sends requests to the model as widget messages. In each slot, the newest request supersedes the one before.

export const SUPERSEDED = Symbol("superseded");

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

// What went wrong, and what to do, as sentences.
export const problemOf = (error) => [error?.message || "the model did not answer", error?.hint].filter(Boolean).map(sentence).join(" ");

export const createRequests = (model) => {
  const open = new Map(), slots = new Map();
  let last = 0;

  const settle = (id, action, value) => {
    const one = open.get(id);
    if (!one) return;
    open.delete(id);
    if (slots.get(one.slot) === id) slots.delete(one.slot);
    one[action](value);
  };
  const receive = (message, buffers) => {
    const one = open.get(message.id);
    if (!one) return;
    if (message.event === "progress") one.progress?.(message.data);
    else if (message.event === "result") settle(message.id, "resolve", buffers?.length ? buffers[0] : message.data);
    else settle(message.id, "reject", message.data);
  };
  const cancel = (slot) => {
    const id = slots.get(slot);
    if (id === undefined) return;
    model.send({ cancel: id });
    settle(id, "reject", SUPERSEDED);
  };
  const ask = (slot, route, body, progress) => {
    cancel(slot);
    const id = ++last;
    slots.set(slot, id);
    return new Promise((resolve, reject) => {
      open.set(id, { slot, resolve, reject, progress });
      model.send({ id, route, body });
    });
  };
  const stop = () => {
    for (const slot of [...slots.keys()]) cancel(slot);
    model.off("msg:custom", receive);
  };
  model.on("msg:custom", receive);
  return { ask, cancel, stop };
};
