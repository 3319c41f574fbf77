// The answer of a language model beside its context: a phrase is selected, and all colors are toward that phrase.
import { readAnswer } from "./answer_data.js";
import { createBlockHead, paintBlockHeads } from "./blocks.js";
import { button, element } from "./dom.js";
import { fillLargest } from "./largest.js";
import { createMatrix } from "./matrix.js";
import { quoted, sum } from "./numbers.js";
import { createWords } from "./words.js";

export const createReply = ({ select, chooseUnit, lockPart }) => {
  const title = element("h3", { class: "um-sidehead" }), place = element("div"), table = element("table", { class: "um-largest" }), more = element("div", { class: "um-answer" });
  const el = element("div", { class: "um-reply" }, title, place);
  let data = null, words = null, heads = [];

  const lockButton = (name, segment, isLocked) => button(isLocked ? "Unlock" : "Lock", () => lockPart(segment), { class: "um-button um-lock", "aria-label": `${isLocked ? "Unlock" : "Lock"} ${name}` });
  const draw = ({ captions, units }, hasLocks) => {
    words?.stop();
    data = readAnswer(captions.answer);
    words = createWords(data, { choose: select });
    heads = data.state.blocks.map(({ name }, segment) => createBlockHead(name, hasLocks ? lockButton(name, segment, !units.some((unit) => unit.segment === segment)) : null));
    title.replaceChildren(data.state.is_contrast ? "Continuations" : "Answer", " ", element("small", {}, data.state.summary));
    place.replaceChildren(words.el);
    more.replaceChildren(table, ...(data.state.scores ? [createMatrix(data, { chooseUnit }).el] : []));
  };
  const goal = () => data.goalOf(words.range());
  const scores = () => data.scoresToward(goal()).slice(0, data.state.count);
  // the words: what the selected unit does to them, what masking changed (one number per token), or their probabilities
  const wordScores = (selected, changes) => {
    if (selected !== null) return data.words.map((word) => data.ofWord(data.state.scores?.[selected], word));
    return changes && data.words.map((word) => sum(word.tokens.map((token) => changes[token])));
  };
  const paint = (selected, changes) => {
    words.paint(wordScores(selected, changes));
    paintBlockHeads(heads, data.blocksToward(goal()), data);
    fillLargest(table, data, data.scoresToward(goal()), data.lossesToward(goal()));
  };
  const said = (selected, changes) => {
    if (selected !== null) return `Colors of the answer: what ${quoted(data.units[selected].text)} supports. ${data.saidOfUnit(data.units[selected])}`;
    const changed = changes ? "Colors of the answer: what the masked words supported." : "";
    if (words.range() !== null) return `Colors: what supports ${goal().subject}. ${changed || data.saidOf(goal())}`;
    return `Colors: what supports the whole answer. ${changed || "Select a phrase of it."}`;
  };
  const restore = (range) => {
    if (Array.isArray(range) && range.every((at) => Number.isInteger(at) && at >= 0 && at < data.words.length) && range[0] <= range[1]) words.set(range.slice(0, 2));
  };
  return { el, more, draw, paint, scores, said, restore, range: () => words.range(), clear: () => words?.set(null), headOf: (segment) => heads[segment]?.el, stop: () => words?.stop() };
};
