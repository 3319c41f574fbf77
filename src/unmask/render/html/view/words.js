// The words of an answer: one of them or a phrase is selected, by pointer or keyboard. It tells what was selected; it decides nothing.
import { element } from "./dom.js";
import { colorOf, largestOf, percent } from "./numbers.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
const blank = (text) => (text.trim() ? "" : text.includes("\n") ? " um-break" : " um-blank");

export const createWords = (data, { choose }) => {
  const { state, words } = data, hasPhrases = state.adds;
  const elements = words.map(({ text, at }) => {
    const one = element("span", { class: "um-t", role: "option", "aria-selected": "false", tabindex: at ? -1 : 0 }, text);
    one.dataset.word = at;
    return one;
  });
  const drawn = data.pieces.map((one) => (typeof one === "string" ? one : elements[one.at]));
  const text = element("p", { class: `um-text${state.is_contrast ? " um-continuations" : ""}`, dir: "auto", lang: "" }, ...drawn);
  const el = element("div", { class: "um-options", role: "listbox", "aria-label": state.is_contrast ? "Continuations" : "Answer", "aria-multiselectable": String(hasPhrases), "aria-orientation": "horizontal" }, text);
  let range = null, anchor = 0, isPressed = false;

  // `scores`: one for each word, or null for the probabilities of the words
  const paint = (scores, isChosen = () => false) => {
    const full = largestOf(scores ?? []);
    words.forEach((word, at) => {
      const one = elements[at], score = scores?.[at] ?? null, isSelected = isInside(at) || isChosen(word);
      const color = state.colored ? colorOf(score, full, word.text) : "", spoken = scores ? data.written(score, full) : percent(word.share);
      one.className = [`um-t${blank(word.text)}`, color, scores && score === null ? "um-missing" : "", isSelected ? "um-chosen" : ""].filter(Boolean).join(" ");
      one.dataset.s = spoken;
      one.setAttribute("aria-label", `${word.text.trim() || "line break"} ${spoken}`);
      one.setAttribute("aria-selected", String(isSelected));
    });
  };
  const isInside = (at) => range !== null && at >= range[0] && at <= range[1];
  const isOnly = (at) => range !== null && range[0] === at && range[1] === at;
  const put = (next) => {
    range = next;
    choose(range);
  };
  const putTo = (at) => put(hasPhrases ? [Math.min(anchor, at), Math.max(anchor, at)] : [at, at]);
  const press = (at, { extends: isExtending, toggles }) => {
    if (toggles && !isExtending && isOnly(at)) return put(null);
    if (!isExtending) anchor = at;
    return putTo(at);
  };
  const reach = (at) => {
    elements.forEach((one, other) => { one.tabIndex = other === at ? 0 : -1; });
    elements[at].focus({ preventScroll: isPressed });
  };
  const wordAt = (event) => {
    const one = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-word]");
    return one && el.contains(one) ? Number(one.dataset.word) : null;
  };
  el.addEventListener("pointerdown", (event) => {
    const one = event.target.closest("[data-word]");
    if (!one || event.button) return;
    event.preventDefault();
    isPressed = true;
    reach(Number(one.dataset.word));
    press(Number(one.dataset.word), { extends: event.shiftKey, toggles: true });
  });
  el.addEventListener("pointermove", (event) => {
    const at = isPressed ? wordAt(event) : null;
    if (at !== null && (at !== anchor || range !== null)) putTo(at);
  });
  const released = () => { isPressed = false; };
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, released);
  el.addEventListener("mousedown", (event) => event.target.closest("[data-word]") && event.preventDefault());
  el.addEventListener("keydown", (event) => {
    const at = elements.indexOf(document.activeElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") put(null);
    else if (event.key === " " || event.key === "Enter") press(at, { extends: event.shiftKey, toggles: true });
    else if (event.key in STEPS) {
      const next = Math.max(0, Math.min(words.length - 1, at + STEPS[event.key]));
      reach(next);
      press(next, { extends: event.shiftKey, toggles: false });
    } else return;
    event.preventDefault();
  });
  const stop = () => { for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, released); };
  return { el, paint, stop, range: () => range, set: (next) => { range = next; } };
};
