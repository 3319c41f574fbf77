// Pairs of words as arcs: those that cover for each other, and those that need each other (dashed).
import { button, element, shape } from "./dom.js";
import { strongestScore } from "./explanation.js";
import { colorOf, decimalsOf, largestOf, percent, quoted, signed } from "./numbers.js";

const SLOT = 84, HIGHEST = 110, ABOVE = 18, LISTED = 6, NUMBERED = 5;

export const createPairs = ({ find, mask }) => {
  const said = element("p", { class: "um-more", role: "status" }), result = element("div");
  const el = element("div", { class: "um-panel" }, button("Find pairs", () => find(), { class: "um-button um-go" }), said, result);

  const show = ({ explanation, pairs, chosen }) => {
    const real = pairs.filter((pair) => pair.relation !== "add up");
    said.textContent = real.length ? "" : "No pair of the top words interacts: their drops add up.";
    result.replaceChildren(...(real.length ? [arcs(explanation, real, chosen), key(), list(explanation, real)] : []));
  };
  const list = (explanation, pairs) => {
    const decimals = decimalsOf(largestOf(pairs.map((pair) => pair.interaction)));
    return element("ul", { class: "um-pairlist" }, ...pairs.slice(0, LISTED).map((pair) => {
      const [first, second] = [pair.first, pair.second].map((unit) => quoted(explanation.units[unit].text));
      return element("li", {}, button(`${first} and ${second} ${pair.relation}`, () => mask([pair.first, pair.second]), { class: "um-button um-example" }), " ", element("b", { class: "um-number" }, signed(pair.net, decimals)));
    }));
  };
  const clear = (text = "") => {
    said.textContent = text;
    result.replaceChildren();
  };
  const progress = ({ share, queued }) => { said.textContent = queued ? "Waiting for its turn…" : `Masking pairs: ${percent(share)}`; };
  return { el, show, clear, progress };
};

const key = () => element("p", { class: "um-key" }, "Solid arc: the two cover for each other (together they lose more than one by one). Dashed arc: they need each other. Select a pair to mask it.");

const arcs = (explanation, pairs, chosen) => {
  const order = [...chosen].sort((one, other) => one - other), x = (unit) => (order.indexOf(unit) + 0.5) * SLOT, width = order.length * SLOT;
  const most = largestOf(pairs.map((pair) => pair.net)), decimals = decimalsOf(most), bottom = ABOVE + HIGHEST;
  const height = (pair) => 26 + (HIGHEST - 26) * (Math.abs(x(pair.second) - x(pair.first)) / width);
  const arc = (pair) => {
    const strength = most ? Math.abs(pair.net) / most : 0, top = bottom - (height(pair) * 4) / 3, [left, right] = [x(pair.first), x(pair.second)];
    const line = shape("path", { class: `um-arc${pair.relation === "need each other" ? " um-dashed" : ""}`, d: `M${left} ${bottom}C${left} ${top} ${right} ${top} ${right} ${bottom}`, "stroke-width": (0.8 + 2.2 * strength).toFixed(2), "stroke-opacity": (0.3 + 0.7 * strength).toFixed(2) });
    line.append(shape("title", {}, `${explanation.units[pair.first].text} and ${explanation.units[pair.second].text} ${pair.relation}: ${signed(pair.net, decimals)}`));
    return line;
  };
  const number = (pair) => shape("text", { x: (x(pair.first) + x(pair.second)) / 2, y: bottom - height(pair) - 5 }, signed(pair.net, decimals));
  const full = strongestScore(explanation);
  const word = (unit) => {
    const { text, score } = explanation.units[unit], color = colorOf(score, full, text);
    return element("td", {}, element("span", { class: `um-word ${color}`.trim(), dir: "auto" }, text.trim()));
  };
  const drawn = shape("svg", { class: "um-curves", viewBox: `0 0 ${width} ${bottom + 4}`, role: "img", "aria-label": `${pairs.length} pairs of words` }, ...[...pairs].reverse().map(arc), ...pairs.slice(0, NUMBERED).map(number));
  const slots = element("table", { class: "um-slots", role: "presentation" }, element("tbody", {}, element("tr", {}, ...order.map(word))));
  return element("div", { class: "um-arcs", tabindex: 0, role: "region", "aria-label": "Pairs as arcs" }, element("div", { class: "um-arcbox" }, drawn, slots));
};
