// Buttons for the selected words, and undo.
import { button, element, freshId, reveal } from "./dom.js";
import { quoted } from "./numbers.js";
import { displayOf } from "./explanation.js";

export const createToolbar = ({ command, replace }) => {
  const id = freshId();
  const only = button("Mask all but this", () => command("only"), { title: "Key: O" });
  const lock = button("Lock", () => command("lock"), { title: "Key: L" });
  const swap = button("Replace…", () => command("replace"), { title: "Key: R" });
  const undo = button("Undo", () => command("undo"), { title: "Ctrl+Z" });
  const redo = button("Redo", () => command("redo"), { title: "Ctrl+Shift+Z" });
  const clear = button("Reset", () => command("reset"));
  const again = button("Explain the edited text", () => command("again"), { class: "um-button um-again" });
  const about = element("span", { class: "um-selection", dir: "auto" });
  const input = element("input", { type: "text", id, class: "um-input", autocomplete: "off", maxlength: 200 });
  const send = button("Replace", () => replace(input.value));
  const form = element("div", { class: "um-replace um-invisible" }, element("label", { for: id }, "Replace by"), input, send);
  const bar = element("div", { class: "um-tools", role: "toolbar", "aria-label": "Selected words" }, only, lock, swap, undo, redo, clear, again);
  const el = element("div", { class: "um-toolbar" }, bar, element("div", { class: "um-toolline" }, about, form));

  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") replace(input.value);
    else if (event.key === "Escape") command("close");
    else return;
    event.preventDefault();
  });
  const disable = (one, isDisabled) => one.toggleAttribute("disabled", isDisabled);

  const show = ({ explanation, chosen, marks, history, hasModel, isMasking }) => {
    const isLocked = chosen.length > 0 && chosen.every((unit) => marks.locked.includes(unit)), isEdited = marks.locked.length > 0 || Object.keys(marks.replaced).length > 0;
    for (const one of [only, lock]) disable(one, !chosen.length);
    disable(swap, chosen.length !== 1 || !hasModel);
    disable(undo, !history.canUndo());
    disable(redo, !history.canRedo());
    disable(clear, !marks.masked.length && !isEdited);
    lock.textContent = isLocked ? "Unlock" : "Lock";
    again.textContent = Object.keys(marks.replaced).length ? "Explain the edited text" : "Explain with locks";
    reveal(again, isEdited && hasModel);
    about.textContent = chosen.length ? `Selected: ${quoted(phraseOf(explanation, chosen))}` : hintOf(explanation, isMasking);
  };
  const open = (text) => {
    reveal(form, true);
    reveal(about, false);
    input.value = text;
    input.select();
    input.focus();
  };
  const close = () => {
    reveal(form, false);
    reveal(about, true);
  };
  return { el, show, open, close };
};

const hintOf = (explanation, isMasking) => {
  const { unit } = explanation;
  if (isMasking) return `Click a ${unit} to mask it; drag over a phrase. Arrow keys move, Space masks.`;
  if (displayOf(explanation).spans === "entities") return `Click a ${unit} to see what supports its label; drag over a phrase.`;
  if (displayOf(explanation).spans === "answer") return `Click a ${unit} of the context to see what supports it as the answer; drag over a phrase.`;
  if (explanation.pair_scores) return `Click a ${unit} to color the other text by its pairs.`;
  return `Click a ${unit} to see what it does to the answer; select a phrase of the answer to see what supports it.`;
};

// The command of a keyboard shortcut that works everywhere but in a text box; null for any other key.
export const shortcutOf = (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest("textarea, input[type=text]")) return null;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : null;
};

// The selected words as written in the text, including what is between them.
export const phraseOf = (explanation, chosen) => {
  const first = explanation.units[Math.min(...chosen)], last = explanation.units[Math.max(...chosen)];
  if (first.segment !== last.segment) return chosen.map((unit) => explanation.units[unit].text).join(" ");
  return Array.from(explanation.segments[first.segment].text).slice(first.start, last.end).join("");
};
