// A named part of a context, with a bar: what the answer loses without all of it.
import { balance, element } from "./dom.js";
import { colorOf, largestOf, signed } from "./numbers.js";

export const createBlockHead = (name, ...more) => {
  const bar = balance(), number = element("span", { class: "um-number" }), effect = element("span", { class: "um-effect" });
  return { el: element("header", { class: "um-blockhead" }, element("span", { class: "um-blockname", dir: "auto" }, name), bar.el, number, effect, ...more), bar, number, effect };
};

// `blocks`: a score or null, and the same in words, for each head
export const paintBlockHeads = (heads, blocks, data) => {
  const most = largestOf(blocks.map(({ score }) => score)), decimals = data.decimals(most);
  heads.forEach(({ bar, number, effect }, at) => {
    const { score, effect: said } = blocks[at];
    bar.show(score, most, data.state.colored ? colorOf(score, most, "x") : "");
    number.textContent = score === null ? "" : signed(score, decimals);
    effect.textContent = said;
  });
};
