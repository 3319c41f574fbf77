// The page: maps the widget's `model` to fetch and server-sent events, and its state to the #fragment.
import view from "./view/view.js";

const POLL = 2000, ROUTES = { render: "/api/render" };

// Events of a stream, as they arrive.
const events = async function* (response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const lines = Object.fromEntries(block.split("\n").filter((line) => !line.startsWith(":")).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (lines.event) yield { event: lines.event, data: JSON.parse(lines.data) };
    }
  }
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const GONE = Symbol("the server is gone");

const createModel = (values) => {
  const listeners = new Map(), open = new Map();
  const emit = (name, ...given) => listeners.get(name)?.forEach((listener) => listener(...given));
  const put = (name, value) => {
    values[name] = value;
    emit(`change:${name}`);
  };

  // a request: the stream's events become messages; a superseded request is dropped along with its connection
  const post = async (id, route, body, signal) => {
    const isFile = route in ROUTES, headers = { "Content-Type": "application/json", ...(isFile ? {} : { Accept: "text/event-stream" }) };
    const response = await fetch(ROUTES[route] ?? `/api/${route}`, { method: "POST", headers, body: JSON.stringify(body), signal }).catch(gone(signal));
    if (response.status === 429) return retryLater(id, response);
    if (!response.ok) return emit("msg:custom", { id, event: "error", data: await problemOf(response) });
    if (isFile) return emit("msg:custom", { id, event: "result", data: await response.blob() });
    return follow(id, response, signal);
  };
  const follow = async (id, response, signal) => {
    let hasEnded = false;
    try {
      for await (const { event, data } of events(response)) {
        if (event === "result" || event === "progress") emit("msg:custom", { id, event, data });
        if (event === "error") emit("msg:custom", { id, event, data: data.error });
        hasEnded ||= event === "result" || event === "error";
      }
    } catch (error) {
      if (!hasEnded) gone(signal)(error);
    }
    if (!hasEnded) throw GONE;
  };
  const gone = (signal) => (error) => { throw signal.aborted || !(error instanceof TypeError) ? error : GONE; };
  const problemOf = async (response) => (await response.json().catch(() => ({}))).error ?? { message: `The server answered ${response.status}.` };
  const retryLater = async (id, response) => {
    emit("msg:custom", { id, event: "progress", data: { share: 0, queued: true } });
    await pause(1000 * (Number(response.headers.get("Retry-After")) || 1));
    return "again";
  };
  const run = async (id, route, body) => {
    const controller = new AbortController();
    open.set(id, controller);
    while (!controller.signal.aborted) {
      try {
        if ((await post(id, route, body, controller.signal)) !== "again") break;
      } catch (error) {
        if (error !== GONE) break;
        await comeBack();
      }
    }
    open.delete(id);
  };

  let returning = null;
  const comeBack = () => {
    returning ??= (async () => {
      put("connection", "lost");
      do await pause(POLL); while (!(await fetch("/healthz").then((response) => response.ok, () => false)));
      put("connection", "ok");
      returning = null;
    })();
    return returning;
  };

  return {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    save_changes: () => history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(values.state))}`),
    on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    off: (name, listener) => listeners.set(name, (listeners.get(name) ?? []).filter((one) => one !== listener)),
    send(message) {
      if (message.cancel === undefined) run(message.id, message.route, message.body);
      else open.get(message.cancel)?.abort();
    },
    put,
    check: () => fetch("/healthz").catch(comeBack),
  };
};

const stateInLink = () => {
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
};

const read = async (address) => {
  const response = await fetch(address), content = await response.json();
  if (!response.ok) throw new Error(content.error?.message ?? address);
  return content;
};

const start = async (el) => {
  const [models, { methods }] = await Promise.all([read("/api/models"), read("/api/methods")]);
  const model = createModel({ catalog: { ...models, methods }, state: stateInLink(), explanation: null, connection: "ok", has_link: true });
  addEventListener("hashchange", () => model.put("state", stateInLink()));
  setInterval(() => document.hidden || model.check(), 5 * POLL);
  view.render({ model, el });
};

const el = document.getElementById("view");
start(el).catch((error) => { el.textContent = `The page cannot begin: ${error.message}`; });
