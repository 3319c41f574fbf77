// Methods side by side: one text per row, and how fast the value falls as each method's top words are masked.
import { button, element, shape } from "./dom.js";
import { partsOf, strongestScore } from "./explanation.js";
import { colorOf, decimal, decimalsOf, largestOf, percent, prose, signed } from "./numbers.js";

const USUAL = ["sig", "ig", "two_sided", "random"], MOST = 8;
const WIDTH = 560, HEIGHT = 200, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 34;

export const createCompare = ({ compare }) => {
  const choices = element("div", { class: "um-switch", role: "group", "aria-label": "Methods to compare" });
  const go = button("Compare", () => compare(chosen()), { class: "um-button um-go" }), said = element("p", { class: "um-more", role: "status" });
  const result = element("div", { class: "um-compared" });
  const el = element("div", { class: "um-panel" }, choices, go, said, result);
  const chosen = () => [...choices.querySelectorAll("input:checked")].map((one) => one.value).slice(0, MOST);

  const offer = (methods, isGenerative) => {
    const known = methods.filter((one) => !isGenerative || one.needs === "outputs");
    const usual = USUAL.filter((name) => known.some((one) => one.name === name));
    choices.replaceChildren(...known.map(({ name, description }) => element("label", { title: description },
      element("input", { type: "checkbox", value: name, checked: usual.includes(name) }), element("span", {}, name))));
  };
  const rowText = (explanation) => {
    const full = strongestScore(explanation), decimals = decimalsOf(largestOf(explanation.units.map((unit) => unit.score)));
    const span = (part) => (part.unit === undefined || part.unit === null ? part.text : unitSpan(explanation.units[part.unit], part.text, full, decimals));
    const last = explanation.segments.length - (explanation.continuation === undefined ? 0 : 1);
    return explanation.segments.slice(0, Math.max(1, last)).map((_, at) => element("p", { class: "um-text", dir: "auto", lang: "" }, ...partsOf(explanation, at).map(span)));
  };
  const unitSpan = (unit, text, full, decimals) => {
    const number = signed(unit.score, decimals), color = colorOf(unit.score, full, text);
    const one = element("span", { class: `um-u ${color}`.trim(), title: number }, text);
    return one;
  };
  const row = ({ name, agreement, explanation }, at, area) => element("div", { class: "um-row" },
    element("div", { class: "um-about" },
      element("h4", {}, sample(at), ` ${name}`),
      element("dl", { class: "um-facts" }, fact("falls by", area), fact("agrees", at ? signed(agreement) : "first row"))),
    element("div", {}, ...rowText(explanation)));
  const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));

  const show = ({ rows, curves }) => {
    const known = curves.filter(Boolean), best = known.reduce((most, one) => (!most || one.area > most.area ? one : most), null), [first] = rows;
    said.textContent = best ? `Faithfulness on this text: the top words of ${rows[curves.indexOf(best)].name} make the value fall fastest.` : "";
    const decimals = decimalsOf(largestOf(known.map(({ area }) => area))), areas = curves.map((one) => (one ? decimal(one.area, decimals) : "–"));
    result.replaceChildren(
      ...(known.length ? [chart(rows, curves, areas, first.explanation)] : []),
      element("p", { class: "um-key" }, `"falls by": mean drop of the ${prose(first.explanation.scale)} as the top ${first.explanation.unit}s are masked one after the other; more is more faithful. "agrees": Kendall's tau with the first row. Colors are scaled per row.`),
      ...rows.map((one, at) => row(one, at, areas[at] + (best && curves[at] === best ? " (most)" : ""))));
  };
  const clear = (text = "") => {
    said.textContent = text;
    result.replaceChildren();
  };
  const progress = ({ share, queued }) => { said.textContent = queued ? "Waiting for its turn…" : `Comparing: ${percent(share)}`; };
  return { el, offer, show, clear, progress };
};

const sample = (at) => shape("svg", { class: "um-sample", width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" },
  shape("path", { class: `um-line um-s${at % 6}`, d: "M1 5H25" }));

const chart = (rows, curves, areas, explanation) => {
  const known = curves.filter(Boolean), values = known.flatMap((one) => one.values), low = Math.min(...values), high = Math.max(...values);
  const most = Math.max(...known.flatMap((one) => one.counts), 1), span = high - low || 1;
  const x = (count) => LEFT + (count / most) * (WIDTH - LEFT - RIGHT), y = (value) => TOP + ((high - value) / span) * (HEIGHT - TOP - BOTTOM);
  const path = ({ counts, values: points }) => counts.map((count, at) => `${at ? "L" : "M"}${x(count).toFixed(1)} ${y(points[at]).toFixed(1)}`).join("");
  const ticks = [high, (high + low) / 2, low].map((value) => shape("g", {}, shape("path", { class: "um-grid", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }), shape("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, signed(value, decimalsOf(largestOf([low, high]))))));
  const counts = [...new Set([0, Math.round(most / 2), most])].map((count) => shape("text", { x: x(count), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, String(count)));
  const title = shape("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, `top ${explanation.unit}s masked`);
  const lines = curves.map((one, at) => (one ? shape("path", { class: `um-line um-s${at % 6}`, d: path(one) }, shape("title", {}, rows[at].name)) : null));
  const label = `${prose(explanation.scale)} as the top ${explanation.unit}s are masked; mean drop: ${rows.map((row, at) => (curves[at] ? `${row.name} ${areas[at]}` : "")).filter(Boolean).join(", ")}`;
  return shape("svg", { class: "um-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, ...ticks, ...counts, title, ...lines);
};
