// The sentences of a drawing: the most important ones above everything, the notes and the meaning of a score below.
import { element } from "./dom.js";

const paragraphs = (texts, name = null) => texts.filter(Boolean).map((text) => element("p", { class: name }, text));
const firstOf = ({ captions, prediction }) => (captions?.sentences.length ? captions.sentences : [captions?.prediction ?? `Prediction: ${prediction.label}.`]);

export const createSentences = (hint) => {
  const el = element("div", { class: "um-sentences" }, ...paragraphs([hint])), notes = element("div"), meaning = element("p", { class: "um-meaning" });
  const draw = (explanation, more = "") => {
    const { notes: about = [], remarks = [], score, key } = explanation.captions ?? {};
    el.replaceChildren(...paragraphs([...firstOf(explanation), more]));
    notes.replaceChildren(...paragraphs([...about, ...remarks], "um-sentence"));
    meaning.textContent = [score, key].filter(Boolean).join(" ");
  };
  return { el, notes, meaning, draw };
};
