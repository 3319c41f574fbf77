// The state of the view, which a link restores: the text, the settings, and the reader's edits.
import { kindOf } from "./ask.js";
import { NONE } from "./marks.js";
import { chosenSettings } from "./settings.js";
import { isAnswer } from "./explanation.js";

// A link may contain anything, so fields that are not part of the state are dropped.
export const initialState = (given, catalog) => {
  const state = { settings: {}, fixed: [], marks: NONE, continuation: null, phrase: null, ...(isRecord(given) ? given : {}) };
  const record = modelRecord(catalog, state.settings?.model), settings = { ...(isRecord(state.settings) ? state.settings : {}), model: record?.name };
  return { ...state, settings, fixed: Array.isArray(state.fixed) ? state.fixed : [], question: isQuestion(state.question) ? state.question : exampleOf(record) };
};

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isQuestion = (value) => isRecord(value) && ((isText(value.text) && (value.choices === undefined || (Array.isArray(value.choices) && value.choices.every(isText))))
  || (Array.isArray(value.messages) && value.messages.every((one) => isText(one?.role) && isText(one.content)))
  || (Array.isArray(value.documents) && value.documents.every((one) => isText(one?.name) && isText(one.text)) && isText(value.question)));

// Keeps only the marks of units that exist.
export const knownMarks = (marks, count) => {
  const isUnit = (unit) => Number.isInteger(Number(unit)) && unit >= 0 && unit < count, units = (list) => (Array.isArray(list) ? list.filter(isUnit) : []);
  const replaced = Object.entries(isRecord(marks?.replaced) ? marks.replaced : {}).filter(([unit, text]) => isUnit(unit) && isText(text));
  return { masked: units(marks?.masked), locked: units(marks?.locked), replaced: Object.fromEntries(replaced) };
};

// The locked spans without those that overlap a span.
export const withoutLock = (fixed, { start, end, segment }) => fixed.filter(([from, to, place = 0]) => place !== segment || to <= start || from >= end);

export const modelRecord = (catalog, name) => catalog.models.find((one) => one.name === name) ?? catalog.models[0];

export const methodsOf = (catalog, record) => catalog.methods.filter((one) => record.methods.includes(one.name));

export const exampleOf = (record) => {
  const { title: _, ...question } = record?.examples[0] ?? { text: "" };
  return question;
};

// For another model: the same question if the model has the same task and reads it, otherwise an example.
export const questionFor = (record, before, question) =>
  (question && record.task === before.task && kindOf(question) in record.inputs ? question : exampleOf(record));

const common = ({ question, settings, fixed }) => ({
  ...question, ...(settings.model ? { model: settings.model } : {}), ...(fixed.length ? { fixed } : {}),
});
// For another text: a target that is a span or a choice of the text before does not apply.
export const settingsFor = (question, settings) => {
  const isOwn = Array.isArray(settings.target) || (question.choices && !question.choices.includes(settings.target));
  return isOwn ? { ...settings, target: "predicted" } : settings;
};
// Another scale may not apply to another target, if targets are sums of outputs.
export const withTarget = (settings, target, explanation) => ({ ...settings, target, ...(Array.isArray(explanation.outputs.target) ? { scale: "auto" } : {}) });
export const withSetting = (settings, name, value, explanation) => (name === "target" ? withTarget(settings, value, explanation) : { ...settings, [name]: value });
const withoutMethod = ({ method: _, ...others }) => others;

export const explainBody = (state, isGenerative) => ({
  ...common(state), ...chosenSettings(state.settings), captions: true, ...(isGenerative && state.continuation !== null ? { continuation: state.continuation } : {}),
});

// Follow-up requests use the resolved settings, so that their numbers match the explanation.
const resolved = (state, explanation) => ({
  ...common(state), ...withoutMethod(chosenSettings(state.settings)), scale: explanation.scale,
  ...(isAnswer(explanation) ? { continuation: explanation.continuation } : {}), target: resolvedTarget(state, explanation),
});
// Outputs that differ from text to text are found again as they were found before.
const resolvedTarget = ({ settings: { target = "predicted" } }, explanation) => {
  if (isAnswer(explanation)) return target === "next" ? "predicted" : target;
  return explanation.outputs.activation === "grouped" ? target : explanation.target;
};

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
  if (question.choices) return { text: texts[0], choices: texts.slice(1) };
  return "text_pair" in question ? { text: texts[0], text_pair: texts[1] } : { text: texts[0] };
};
