// The state of the view: what is explained, how, and what was done to it. It is what a link restores.
import { NONE } from "./marks.js";
import { chosenSettings } from "./settings.js";
import { isAnswer } from "./explanation.js";

export const initialState = (given, catalog) => {
  const state = { settings: {}, fixed: [], marks: NONE, continuation: null, phrase: null, ...given };
  const record = modelRecord(catalog, state.settings.model);
  return { ...state, settings: { ...state.settings, model: record?.name }, question: state.question ?? exampleOf(record) };
};

export const modelRecord = (catalog, name) => catalog.models.find((one) => one.name === name) ?? catalog.models[0];

export const exampleOf = (record) => {
  const { title: _, ...question } = record?.examples[0] ?? { text: "" };
  return question;
};

const common = ({ question, settings, fixed }) => ({
  ...question, ...(settings.model ? { model: settings.model } : {}), ...(fixed.length ? { fixed } : {}),
});
const withoutMethod = ({ method: _, ...others }) => others;

export const explainBody = (state, isGenerative) => ({
  ...common(state), ...chosenSettings(state.settings), captions: true, ...(isGenerative && state.continuation !== null ? { continuation: state.continuation } : {}),
});

// Follow-up questions name the resolved settings, so that the numbers are those of the explanation.
const resolved = (state, explanation) => ({
  ...common(state), ...withoutMethod(chosenSettings(state.settings)), scale: explanation.scale,
  ...(isAnswer(explanation) ? { continuation: explanation.continuation, target: answerTarget(state) } : { target: explanation.target }),
});
const answerTarget = ({ settings }) => (settings.target && settings.target !== "next" ? settings.target : "predicted");

export const predictBody = (state, explanation, masked, replaced) => ({
  ...resolved(state, explanation), masked, ...(Object.keys(replaced).length ? { replaced } : {}),
});
export const compareBody = (state, explanation, methods) => ({ ...resolved(state, explanation), methods, curve: true });
export const interactionsBody = (state, explanation) => resolved(state, explanation);
export const renderBody = (state, explanation, format, mode) => {
  const { captions: _, ...request } = explainBody({ ...state, continuation: explanation.continuation ?? null }, isAnswer(explanation));
  return { format, kind: "explanation", request, ...(format === "html" ? {} : { mode }) };
};

// The question with other texts, segment by segment.
export const editedQuestion = (question, texts) => {
  if (question.documents) return { documents: question.documents.map((one, at) => ({ ...one, text: texts[at] })), question: texts[question.documents.length] };
  if (question.messages) return { messages: question.messages.map((one, at) => ({ ...one, content: texts[at] })) };
  return "text_pair" in question ? { text: texts[0], text_pair: texts[1] } : { text: texts[0] };
};
