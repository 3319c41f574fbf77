// What a click on a word does: it masks the word, or selects it. Below, what the colors show.
import { element, freshId, write } from "./dom.js";
import { displayOf, isAnswer } from "./explanation.js";

const TITLES = { entities: "explains its label", answer: "explains it as the answer" };
const titleOf = (explanation) => (isAnswer(explanation) ? "shows what a word does" : TITLES[displayOf(explanation).spans] ?? "shows its pairs");

export const createMode = ({ change }) => {
  const name = freshId(), title = element("span"), aim = element("p", { class: "um-key um-plain" });
  const option = (value, text) => element("label", {}, element("input", { type: "radio", name, value, onchange: () => change(value) }), text);
  const el = element("fieldset", { class: "um-switch um-mode", hidden: true },
    element("legend", {}, "A click"), option("select", title), option("mask", element("span", {}, "masks the word")), aim);

  // Returns whether a click masks.
  const draw = (explanation, chosen, hasModel) => {
    const isGenerative = isAnswer(explanation), { spans, is_selectable: isSelectable } = displayOf(explanation);
    el.hidden = !(isGenerative || (spans === null ? isSelectable : hasModel));
    el.classList.toggle("um-long", isGenerative);
    const isMasking = el.hidden || (chosen ?? (isGenerative ? "select" : "mask")) === "mask";
    for (const one of el.querySelectorAll("input")) one.checked = (one.value === "mask") === isMasking;
    title.textContent = titleOf(explanation);
    return isMasking;
  };
  return { el, draw, say: (text) => write(aim, text) };
};
