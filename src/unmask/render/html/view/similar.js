// Two similar texts: select a word of one to color the words of the other by what both add beyond each alone.
import { decimalsOf, largestOf, quoted, signed } from "./numbers.js";

const NAMED = 3;

export const pairedScores = ({ units, pair_scores: pairs }, selected) => {
  const count = units.filter((unit) => unit.segment === 0).length, side = units[selected].segment;
  return units.map(({ segment }, at) => {
    if (segment === side) return null;
    return side === 0 ? pairs[selected][at - count] : pairs[at][selected - count];
  });
};

export const saidOfPairs = (explanation, selected, isMasking) => {
  if (selected === null) return `Colors: the scores of all words.${isMasking ? "" : " Select a word to color the words of the other text by what both add beyond each alone."}`;
  const scores = pairedScores(explanation, selected), decimals = decimalsOf(largestOf(scores));
  const ranked = scores.map((score, at) => [explanation.units[at].text, score]).filter(([, score]) => score !== null).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1]));
  return `With ${quoted(explanation.units[selected].text)}: ${ranked.slice(0, NAMED).map(([text, score]) => `${quoted(text)} ${signed(score, decimals)}`).join(", ")}.`;
};
