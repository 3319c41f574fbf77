// What the cells of an answer say: sums over a phrase, and sentences. Plain data in (render/html/answers.py), numbers and texts out.
import { decimalsOf, quoted, signed, sum, timesLessLikely } from "./numbers.js";

const NAMED = ["token", "word", "sentence", "paragraph", "message"];

const ended = (sentence) => (sentence.endsWith('."') ? sentence : `${sentence}.`);
const strongest = (values) => values.reduce((best, value, at) => (value !== null && (best < 0 || Math.abs(value) > Math.abs(values[best])) ? at : best), -1);

export const readAnswer = (state) => {
  const scale = 10 ** -state.digits, words = [];
  const units = state.units.map(([name, text, kind, block], at) => ({ at, name, text, kind, block }));
  const pieces = state.words.map((one) => {
    if (typeof one === "string") return one;
    const [text, tokens, share] = one, word = { at: words.length, text, tokens, share };
    words.push(word);
    return word;
  });
  const losses = state.losses ?? (state.loses ? state.scores : null);
  const decimals = (most) => Math.min(state.digits, decimalsOf(most));
  const written = (score, most) => (score === null ? "not computed" : signed(score, decimals(most)));

  // the weighted sum of a row's cells; cells that do not exist are skipped; null if none exists
  const weighted = (row, weights) => {
    const cells = (row ?? []).map((cell, at) => [cell, weights[at]]).filter(([cell, weight]) => cell !== null && weight);
    return cells.length ? scale * sum(cells.map(([cell, weight]) => cell * weight)) : null;
  };
  const only = (tokens) => state.columns.map((_, at) => Number(tokens.includes(at)));
  const ofWord = (row, word) => weighted(row, only(word.tokens));

  // the target: that of the explanation, or a range of words
  const own = { weights: state.weights, subject: state.subject, versus: state.versus, isOwn: true };
  const goalOf = (range) => {
    if (range === null) return own;
    const chosen = words.slice(range[0], range[1] + 1), tokens = chosen.flatMap((word) => word.tokens);
    return { weights: only(tokens), subject: quoted(state.is_contrast ? chosen[0].text : phraseOf(range)), versus: "", isOwn: false, tokens };
  };
  const phraseOf = ([from, to]) => pieces.slice(pieces.indexOf(words[from]), pieces.indexOf(words[to]) + 1).map((one) => one.text ?? one).join("");
  const scoresToward = ({ weights, isOwn }) => (isOwn || !state.scores
    ? state.own.map((score) => (score === null ? null : score * scale))
    : state.scores.map((row) => weighted(row, weights)));
  const blocksToward = ({ weights }) => state.blocks.map(({ scores, losses: lost, loses, effect }) => {
    const score = weighted(scores, weights);
    return { score, effect: score === null ? effect : loses ? timesLessLikely(weighted(lost ?? scores, weights)) : "" };
  });
  const lossesToward = ({ weights }) => losses?.map((row) => weighted(row, weights));

  // sentences
  const titleOf = ({ isOwn, subject }) => (isOwn ? state.heading : `What ${state.signed ? "supports" : "matters to"} ${subject}`);
  const withoutUnit = (unit, { subject, versus }, lost) => {
    const context = unit.name.slice(unit.text.length), named = `${NAMED.includes(unit.kind) ? `the ${unit.kind} ` : ""}${quoted(unit.text)}${context}`;
    return ended(`Without ${named}, ${subject} is ${timesLessLikely(lost)}${versus && ` relative to ${versus}`}`);
  };
  const saidOf = (goal) => {
    const said = [], lost = lossesToward(goal)?.slice(0, state.count) ?? [], most = strongest(lost);
    if (most >= 0) said.push(withoutUnit(units[most], goal, lost[most]));
    if (state.context) said.push(ended(`Without the documents, ${goal.subject} is ${timesLessLikely(weighted(state.context, goal.weights) ?? 0)}${goal.versus && ` relative to ${goal.versus}`}`));
    return said.join(" ") || ended(titleOf({ ...goal, isOwn: false }));
  };
  const saidOfUnit = (unit) => {
    if (!state.scores?.[unit.at]) return ended(`The ${unit.kind} ${quoted(unit.text)} was not computed`);
    if (!losses) return ended(`What ${quoted(unit.text)} does to the answer`);
    const lost = words.map((word) => ofWord(losses[unit.at], word)), most = strongest(lost), whole = weighted(losses[unit.at], state.weights);
    const first = whole === null ? "" : withoutUnit(unit, own, whole);
    const word = most < 0 || words.length < 2 ? "" : ended(`Most affected: ${quoted(words[most].text)}, ${timesLessLikely(lost[most])}`);
    return [first, word].filter(Boolean).join(" ");
  };
  return { state, scale, units, words, pieces, decimals, written, ofWord, goalOf, scoresToward, blocksToward, lossesToward, titleOf, saidOf, saidOfUnit };
};
