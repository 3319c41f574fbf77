// Predictions that are spans of the text: the entities of a tagger, or the answer to a question.
import { displayOf, probabilityOf } from "./explanation.js";
import { quoted } from "./numbers.js";

const NAMED = 2, MOST = 12, ANSWER = "answer", OUTSIDE = "O";
const SELECT = {
  entities: "Select a word to see what supports its label.",
  answer: "Select words of the context to see what supports them as the answer.",
};

export const hasSpans = (explanation) => displayOf(explanation).spans !== null;

const nameOf = ({ text, label }) => (label === ANSWER ? text : `${text} ${label}`);

// The predicted spans in short; "no entity" if there is none.
export const spansInShort = ({ spans, label }, most = NAMED) => {
  const left = spans.length - most;
  return spans.length ? `${spans.slice(0, most).map(nameOf).join(", ")}${left > 0 ? ` and ${left} more` : ""}` : label;
};

// The name of all that is predicted: entities, or tags if there are none, or if every word has one.
const wholeOf = (explanation) => {
  const [whole, otherwise = whole] = displayOf(explanation).whole;
  return explanation.prediction.spans.length && explanation.outputs.labels.includes(OUTSIDE) ? whole : otherwise;
};

// What a reader can ask about: everything that is predicted, and each span; `at` is the span's index.
export const choicesOf = (explanation) => {
  const { spans } = explanation.prediction;
  if (spans.length < 2) return [{ name: spans.length ? nameOf(spans[0]) : `all ${wholeOf(explanation)}`, target: "predicted", at: spans.length - 1 }];
  return [{ name: `all ${wholeOf(explanation)}`, target: "predicted", at: null }, ...spans.map((span, at) => ({ name: nameOf(span), target: [span.start, span.end], at }))];
};

export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The bars of a prediction: the choices, and below them the target if it is none of them; its place is kept.
export const spanBars = (explanation, target) => {
  const bars = choicesOf(explanation).slice(0, MOST).map((one) => ({ ...one, isTarget: isSame(one.target, target) }));
  const isOther = !bars.some((one) => one.isTarget);
  return [...bars, { name: isOther ? String(explanation.target) : "–", target, at: undefined, isTarget: isOther, isHidden: !isOther }];
};

// The probability of a bar's span; null if the span is not in the edited text, or there is no such bar.
export const shareOfBar = (explanation, point, { at, isTarget }) => {
  if (isTarget) return point.target_probability ?? probabilityOf(explanation, point.outputs ?? explanation.outputs.whole);
  const shares = point.span_probabilities ?? explanation.prediction.spans.map(({ probability }) => probability);
  if (at >= 0 && at !== null) return shares[at];
  return at === null && !shares.includes(null) ? shares.reduce((all, share) => all * share, 1) : null;
};

const isIn = (unit, spans) => spans.some((span) => span.segment === unit.segment && span.start < unit.end && unit.start < span.end);

// Which units the model predicts something for, also in an edited text.
export const predictedUnits = ({ units, prediction }, { spans = prediction.spans } = {}, replaced = null) => {
  if (!spans) return [];
  if (!replaced) return units.flatMap((unit, at) => (isIn(unit, spans) ? [at] : []));
  return replaced.filter((unit) => isIn(unit, spans)).flatMap((unit) => unit.from);
};

// The target that selected units stand for: their entity, or their own characters; null outside of the text that has labels.
export const targetAt = ({ units, segments, prediction: { spans } }, selected) => {
  const own = selected.map((at) => units[at]).filter(({ segment }) => segment === segments.length - 1);
  if (!own.length) return null;
  const entity = own.length === 1 && spans.find((span) => isIn(own[0], [span]) && span.start <= own[0].start && own[0].end <= span.end);
  if (entity) return spans.length === 1 ? "predicted" : [entity.start, entity.end];
  return [own[0].start, own.at(-1).end];
};

const subjectOf = (explanation) => (displayOf(explanation).whole.includes(explanation.target) ? `the ${explanation.target}` : quoted(String(explanation.target)));

export const aimOf = (explanation, target, isMasking) => {
  const { spans } = displayOf(explanation), isWhole = target === "predicted";
  const masking = choicesOf(explanation).length > 1 || !isWhole ? "Choose another above." : "";
  const selecting = isWhole ? SELECT[spans] : `Select it again for the ${wholeOf(explanation)}.`;
  return `Colors: what supports ${subjectOf(explanation)}. ${isMasking ? masking : selecting}`;
};
