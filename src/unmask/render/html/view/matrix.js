// All scores of an answer as a heat map: one path for each color, drawn when it is first opened.
import { element, shape } from "./dom.js";
import { colorOf, largestOf, quoted, signed } from "./numbers.js";

const CELL = 16, LABELS = 170, HEAD = 96, LONGEST = 24;

const cut = (text) => {
  const letters = Array.from(text.trim() || JSON.stringify(text).slice(1, -1));
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : letters.join("");
};

export const createMatrix = (data, { chooseUnit }) => {
  const { state, units, scale } = data, { columns, scores } = state;
  const el = element("details", { class: "um-matrix" }, element("summary", {}, `All scores: ${scores.filter((row) => row !== null).length} units × ${columns.length} ${state.is_contrast ? "continuations" : "tokens"}`));
  const order = state.blocks.flatMap((one) => one.pieces).flat().filter((piece) => typeof piece === "number"), rows = order.map((at) => units[at]).filter((unit) => scores[unit.at] !== null);

  const draw = () => {
    const width = columns.length * CELL, height = rows.length * CELL, full = largestOf(rows.map((unit) => largestOf(scores[unit.at]))), decimals = data.decimals(scale * full), paths = new Map();
    rows.forEach((unit, y) => scores[unit.at].forEach((cell, x) => {
      const name = cell === null ? "um-none" : colorOf(cell, full, "x");
      if (name) paths.set(name, `${paths.get(name) ?? ""}M${x * CELL} ${y * CELL}h${CELL}v${CELL}h-${CELL}z`);
    }));
    const names = rows.map((unit, y) => shape("text", { x: -6, y: (y + 0.72) * CELL, "text-anchor": "end" }, cut(unit.name)));
    const tokens = columns.map(([text], x) => shape("text", { transform: `translate(${(x + 0.75) * CELL} -6) rotate(-60)` }, cut(text)));
    const frame = shape("rect", { class: "um-frame", width, height }), cells = [...paths].map(([name, d]) => shape("path", { class: name, d }));
    const map = shape("svg", { class: "um-map", role: "img", "aria-label": `Scores of ${rows.length} units for ${columns.length} outputs`, width: LABELS + width + HEAD, height: HEAD + height + 4, viewBox: `${-LABELS} ${-HEAD} ${LABELS + width + HEAD} ${HEAD + height + 4}` }, ...cells, frame, ...names, ...tokens);
    const said = element("p", { class: "um-cell" }, "Hover over a cell to see its score; click it to select its unit.");
    const place = (event) => {
      const box = frame.getBoundingClientRect(), x = Math.floor((event.clientX - box.left) / (box.width / columns.length)), y = Math.floor((event.clientY - box.top) / (box.height / rows.length));
      return { unit: rows[y], column: columns[x], x };
    };
    map.addEventListener("pointermove", (event) => {
      const { unit, column, x } = place(event), score = unit && column ? scores[unit.at][x] : undefined;
      if (score !== undefined) said.textContent = `${quoted(unit.text)} → ${quoted(column[0])}: ${score === null ? "does not precede it" : signed(score * scale, decimals)}`;
    });
    map.addEventListener("click", (event) => {
      const { unit } = place(event);
      if (unit) chooseUnit(unit.at);
    });
    return [said, element("div", { class: "um-mapbox", tabindex: "0", role: "region", "aria-label": "Matrix" }, map)];
  };
  el.addEventListener("toggle", () => { if (el.open && el.children.length === 1) el.append(...draw()); });
  return { el };
};
