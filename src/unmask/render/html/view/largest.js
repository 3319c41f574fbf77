// The units with the largest scores as a table; of an answer, with what it loses without each.
import { balance, element } from "./dom.js";
import { colorOf, largestOf, signed, timesLessLikely } from "./numbers.js";

const TOP = 8;

export const fillLargest = (table, data, scores, lost) => {
  const { state, units } = data, listed = scores.slice(0, state.count), full = largestOf(listed), decimals = data.decimals(full), hasBlocks = state.blocks.length > 1;
  const order = listed.map((_, at) => at).filter((at) => listed[at] !== null).sort((a, b) => Math.abs(listed[b]) - Math.abs(listed[a])).slice(0, TOP);
  const column = (name, kind = null) => element("th", { scope: "col", class: kind }, name);
  const head = element("tr", {}, column(state.unit), hasBlocks ? column("text") : null, column("score", "um-number"), lost ? column("without it", "um-number") : null, element("td"));
  const row = (at) => {
    const bar = balance(), { name, text, block } = units[at];
    bar.show(scores[at], full, state.colored ? colorOf(scores[at], full, text) : "");
    const numbers = [signed(scores[at], decimals), ...(lost ? [timesLessLikely(lost[at])] : [])].map((one) => element("td", { class: "um-number" }, one));
    return element("tr", {}, element("th", { scope: "row", dir: "auto", lang: "" }, name), hasBlocks ? element("td", {}, state.blocks[block].name) : null, ...numbers, element("td", {}, bar.el));
  };
  table.replaceChildren(element("caption", {}, "Largest scores"), element("thead", {}, head), element("tbody", {}, ...order.map(row)));
};
