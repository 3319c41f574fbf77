// The answer of a language model: its words can be selected, one or a phrase, and are colored by what a unit does to them.
import { element } from "./dom.js";
import { largestOf, sum } from "./explanation.js";
import { decimalsOf, levelClass, levelOf, percent, signed } from "./numbers.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

// Joins tokens into words: a word begins at a space, and where letters meet other characters.
const wordsOf = (tokens) => {
  const words = [];
  tokens.forEach((token, at) => {
    const last = words.at(-1), isLetter = /^[\p{L}\p{N}'’]/u.test(token.text), joins = last && isLetter && /[\p{L}\p{N}'’]$/u.test(last.text);
    if (joins) last.text += token.text;
    else words.push({ text: token.text, tokens: [], start: token.start });
    const word = words.at(-1);
    word.tokens.push(at);
    word.end = token.end;
  });
  return words;
};

export const createAnswer = ({ select }) => {
  const text = element("p", { class: "um-text um-options", role: "listbox", "aria-label": "Words of the answer", "aria-multiselectable": "true", "aria-orientation": "horizontal", dir: "auto", lang: "" });
  const el = element("div", { class: "um-reply" }, element("h3", { class: "um-sidehead" }, "Answer"), text);
  let words = [], anchor = 0, isPressed = false, range = null;

  const draw = (explanation) => {
    const tokens = explanation.outputs.tokens ?? [];
    words = wordsOf(tokens).map((word) => ({ ...word, share: word.tokens.reduce((product, at) => product * tokens[at].probability, 1) }));
    words.forEach((word, at) => {
      word.el = element("span", { class: "um-t", role: "option", tabindex: at ? -1 : 0, "aria-selected": "false" }, word.text);
      word.el.dataset.word = at;
    });
    [anchor, range] = [0, null];
    text.replaceChildren(...(words.length ? words.map((word) => word.el) : [explanation.continuation ?? explanation.prediction.label ?? ""]));
  };
  // `scores`: one number per token, or null for the probabilities of the words
  const paint = (scores) => {
    const values = words.map((word) => (scores === null ? null : sum(word.tokens.map((at) => scores[at] ?? 0)))), full = largestOf(values), decimals = decimalsOf(full);
    words.forEach((word, at) => {
      const isChosen = range !== null && at >= range[0] && at <= range[1];
      word.el.className = ["um-t", values[at] === null ? "" : levelClass(full ? levelOf(values[at] / full, word.text) : 0), isChosen ? "um-chosen" : ""].filter(Boolean).join(" ");
      word.el.dataset.s = values[at] === null ? percent(word.share) : signed(values[at], decimals);
      word.el.setAttribute("aria-selected", String(isChosen));
      word.el.setAttribute("aria-label", `${word.text.trim() || "line break"}, ${word.el.dataset.s}`);
    });
  };
  const phrase = () => {
    if (range === null) return null;
    const chosen = words.slice(range[0], range[1] + 1);
    return { tokens: chosen.flatMap((word) => word.tokens), text: chosen.map((word) => word.text).join("").trim(), start: chosen[0].start, end: chosen.at(-1).end };
  };
  const choose = (next) => {
    range = next;
    select(phrase());
  };
  const chooseTo = (at) => choose([Math.min(anchor, at), Math.max(anchor, at)]);
  const reach = (at) => {
    words.forEach((word, other) => { word.el.tabIndex = other === at ? 0 : -1; });
    words[at].el.focus({ preventScroll: isPressed });
  };
  const wordAt = (event) => {
    const one = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-word]");
    return one && text.contains(one) ? Number(one.dataset.word) : null;
  };
  const isOnly = (at) => range !== null && range[0] === at && range[1] === at;
  text.addEventListener("pointerdown", (event) => {
    const at = wordAt(event);
    if (at === null || event.button) return;
    isPressed = true;
    reach(at);
    if (event.shiftKey) return chooseTo(at);
    anchor = at;
    return isOnly(at) ? choose(null) : chooseTo(at);
  });
  text.addEventListener("pointermove", (event) => {
    const at = isPressed ? wordAt(event) : null;
    if (at !== null && (at !== anchor || range !== null)) chooseTo(at);
  });
  const released = () => { isPressed = false; };
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, released);
  text.addEventListener("mousedown", (event) => event.preventDefault());
  text.addEventListener("keydown", (event) => {
    const at = words.findIndex((word) => word.el === document.activeElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") choose(null);
    else if (event.key === " " || event.key === "Enter") pressed(at, event.shiftKey);
    else if (event.key in STEPS) {
      const next = Math.max(0, Math.min(words.length - 1, at + STEPS[event.key]));
      reach(next);
      pressed(next, event.shiftKey, false);
    } else return;
    event.preventDefault();
  });
  const pressed = (at, isExtending, isToggling = true) => {
    if (isToggling && isOnly(at)) return choose(null);
    if (!isExtending) anchor = at;
    return chooseTo(at);
  };
  const clear = () => { range = null; };
  const restore = ([start, end]) => {
    const inside = words.map((word, at) => at).filter((at) => words[at].start >= start && words[at].end <= end);
    if (inside.length) range = [inside[0], inside.at(-1)];
    return phrase();
  };
  const stop = () => { for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, released); };
  return { el, draw, paint, phrase, clear, restore, stop };
};
