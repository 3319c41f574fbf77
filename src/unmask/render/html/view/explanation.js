// Values that can be read from an explanation's JSON without running the model.
import { largestOf, sum } from "./numbers.js";

const ANSWERS = ["token", "sequence", "sequence_mean"];

export const isAnswer = (explanation) => ANSWERS.includes(explanation.outputs.activation);

export const largestScore = (explanation) => largestOf(explanation.units.map((unit) => unit.score));

// The score with the strongest color, as in render/colored_spans.py.
export const strongestScore = (explanation) => {
  const largest = largestScore(explanation), isRelative = explanation.method.uses_baseline && !isAnswer(explanation);
  return isRelative ? Math.max(Math.abs(explanation.together), largest) : largest;
};

// How drawings name and arrange what the model predicts.
export const DISPLAY = { prediction: "Prediction", output: "Class", value: "value", whole: [], is_selectable: false, is_beside: false, is_quoted: false, spans: null };
export const displayOf = ({ captions }) => captions?.display ?? DISPLAY;

// The label whose probability is drawn as the prediction of the target; null for a value without labels.
export const targetLabel = (explanation) => {
  const { target, prediction } = explanation;
  if (displayOf(explanation).spans) return String(target);
  if (isAnswer(explanation)) return prediction.label;
  const label = typeof target === "object" && target !== null ? target.label : target;
  return label in (prediction.probabilities ?? {}) ? label : prediction.label;
};

// The parts of a segment in order: units, locked spans, and the text between them. Offsets count code points.
export const partsOf = (explanation, segment) => {
  const letters = Array.from(explanation.segments[segment].text), parts = [];
  const units = explanation.units.map((unit, at) => ({ ...unit, at })), fixed = explanation.fixed.map((span) => ({ ...span, isFixed: true }));
  const spans = [...units, ...fixed].filter((span) => span.segment === segment).sort((one, other) => one.start - other.start);
  let end = 0;
  for (const span of spans) {
    if (span.start > end) parts.push({ text: letters.slice(end, span.start).join("") });
    parts.push({ text: letters.slice(span.start, span.end).join(""), unit: span.at ?? null, isFixed: Boolean(span.isFixed), span });
    end = span.end;
  }
  if (end < letters.length) parts.push({ text: letters.slice(end).join(""), isUnread: explanation.truncated });
  return parts;
};

const softmax = (outputs) => {
  const most = Math.max(...outputs), powers = outputs.map((output) => Math.exp(output - most)), total = sum(powers);
  return powers.map((power) => power / total);
};
const sigmoid = (output) => 1 / (1 + Math.exp(-output)), sigmoids = (outputs) => outputs.map(sigmoid);
const ACTIVATIONS = { softmax, sigmoid: sigmoids, grouped: sigmoids };

// The number that is explained, where the model predicts numbers.
const valueOf = ({ outputs: { labels }, target }, outputs) => {
  const of = (label) => outputs[Math.max(0, labels.indexOf(label))];
  return typeof target === "object" ? of(target.label) - of(target.against) : of(target);
};

// The range of that number: from 0 to the largest that is known.
export const rangeOf = (explanation) => {
  const { whole, baseline } = explanation.outputs, known = [whole, baseline, ...explanation.units.map(({ without }) => without)].filter(Boolean).map((outputs) => valueOf(explanation, outputs));
  return [Math.min(0, ...known), Math.max(0, ...known)];
};

// An estimate of the raw outputs, as if the effects of the masked units added up.
const addedOutputs = (explanation, masked) => {
  const { whole } = explanation.outputs, effects = masked.map((unit) => explanation.units[unit].without);
  return effects.includes(null) ? null : whole.map((output, at) => output + sum(effects.map((without) => without[at] - output)));
};

const named = ({ outputs }, shares) => {
  const ranked = outputs.labels.map((label, at) => [label, shares[at]]), probabilities = Object.fromEntries(ranked);
  const [label] = ranked.reduce((best, one) => (one[1] > best[1] ? one : best));
  if (outputs.activation !== "sigmoid") return { label, probabilities };
  return { label, labels: ranked.filter(([, share]) => share > 0.5).map(([name]) => name), probabilities };
};

// The probability of a label with all units masked; undefined for a value without labels.
export const shareAtBaseline = ({ outputs }, label) => ACTIVATIONS[outputs.activation]?.(outputs.baseline)[outputs.labels.indexOf(label)];

// An estimate from the known scores, shown until the model has answered; `change` is on the scale of the scores. Spans
// stay those of the last answer.
export const estimatePoint = (explanation, masked, last = null) => {
  const change = -sum(masked.map((unit) => explanation.units[unit].score)), isEstimate = true;
  if (!masked.length) return wholePoint(explanation);
  if (isAnswer(explanation)) return { ...estimateAnswer(explanation, change), change, isEstimate };
  const outputs = addedOutputs(explanation, masked), activation = ACTIVATIONS[explanation.outputs.activation];
  if (!outputs || !activation) return { ...moved(ofWhole(explanation), change), change, isEstimate };
  if (displayOf(explanation).spans) return { ...(last ?? explanation.prediction), ...spanEstimates(explanation, outputs), outputs, change, isEstimate };
  return { ...named(explanation, activation(outputs)), change, isEstimate };
};

const productOf = (outputs, indices) => indices.reduce((all, at) => all * sigmoid(outputs[at]), 1);
const spanEstimates = ({ outputs: { target }, captions }, outputs) => ({ target_probability: productOf(outputs, target), span_probabilities: captions?.span_outputs?.map((indices) => productOf(outputs, indices)) });
// The probability of the outputs that are explained, where each belongs to a group.
export const probabilityOf = (explanation, outputs) => productOf(outputs, explanation.outputs.target);
const moved = (prediction, change) => (prediction.label === null ? { ...prediction, value: prediction.value + change } : prediction);

const estimateAnswer = (explanation, change) => {
  const { label, probabilities } = explanation.prediction;
  const share = explanation.scale === "log_probability" ? Math.min(1, probabilities[label] * Math.exp(change)) : probabilities[label];
  return { label, probabilities: { ...probabilities, [label]: share } };
};

// Whether the model reads an answer otherwise than it wrote it: its tokens are found again from its text.
export const isOtherAnswer = ({ prediction: { label, probabilities } }, whole) => {
  const [written, read] = [probabilities[label], whole.probabilities?.[label] ?? 0].map((share) => Math.log(Math.max(share, 1e-300)));
  return Math.abs(written - read) > 0.01 * Math.max(1, Math.abs(written));
};

const ofWhole = (explanation) => (explanation.prediction.label === null ? { ...explanation.prediction, value: valueOf(explanation, explanation.outputs.whole) } : explanation.prediction);
export const wholePoint = (explanation) => ({ ...ofWhole(explanation), change: 0, isEstimate: false });

// How much the target drops without this unit alone, or null if only the model can tell.
export const knownDrop = (explanation, unit) =>
  explanation.method.name === "sig" && explanation.units[unit].without ? explanation.units[unit].score : null;

// Whether an estimate is the model's own number, as if only one unit is masked; its spans are never known.
export const isExact = (explanation, masked) =>
  masked.length === 1 && knownDrop(explanation, masked[0]) !== null && !displayOf(explanation).spans && (!isAnswer(explanation) || explanation.scale === "log_probability");

export const unitScores = (explanation) => explanation.units.map((unit) => unit.score);
