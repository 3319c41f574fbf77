// The explanation of an answer on a page without a model: words on both sides are selected and recolor the other side.
import { readAnswer } from "./answer_data.js";
import { createBlockHead, paintBlockHeads } from "./blocks.js";
import { element } from "./dom.js";
import { fillLargest } from "./largest.js";
import { createMatrix } from "./matrix.js";
import { colorOf, largestOf, quoted } from "./numbers.js";
import { createWords } from "./words.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

const drawAnswer = (state, el) => {
  const data = readAnswer(state), { units } = data, unitElements = new Map();
  let selected = null; // a unit of the context

  // the context: units, larger units as chips before them, and the text between
  const unitElement = (unit, isChip) => {
    const flags = ["um-u", state.unknown.includes(unit.at) && "um-unknown", state.outlined.includes(unit.at) && "um-outlined"].filter(Boolean).join(" ");
    const one = element("span", { role: "option", "aria-selected": "false", tabindex: -1 }, isChip ? null : unit.text);
    Object.assign(one.dataset, { unit: unit.at, base: isChip ? "um-chip" : flags });
    unitElements.set(unit.at, one);
    return one;
  };
  const pieceElement = (piece) => (typeof piece === "string" ? piece : unitElement(units[[piece].flat()[0]], Array.isArray(piece)));
  const heads = state.blocks.map(({ name }) => createBlockHead(name));
  const block = ({ name, pieces }, at) => element("section", { class: "um-block", role: "group", "aria-label": name }, state.blocks.length > 1 ? heads[at].el : null, element("p", { class: "um-text", dir: "auto", lang: "" }, ...pieces.map(pieceElement)));
  const context = element("div", { class: "um-options", role: "listbox", "aria-label": "Context" }, ...state.blocks.map(block));

  const paintContext = (scores) => {
    const full = largestOf(scores ?? []);
    for (const [at, one] of unitElements) {
      const score = scores?.[at] ?? null, isMissing = state.scores[at] === null || (scores && score === null), isChosen = selected === at;
      one.className = [one.dataset.base, state.colored ? colorOf(score, full, units[at].text) : "", isMissing ? "um-missing" : "", isChosen ? "um-chosen" : ""].filter(Boolean).join(" ");
      one.dataset.s = scores || isMissing ? data.written(score, full) : "";
      one.setAttribute("aria-label", `${units[at].text} ${one.dataset.s}`);
      one.setAttribute("aria-selected", String(isChosen));
    }
  };
  const show = () => {
    const goal = data.goalOf(words.range()), scores = data.scoresToward(goal), unit = selected === null ? null : units[selected];
    paintContext(unit ? null : scores);
    paintBlockHeads(heads, unit ? state.blocks.map(({ effect }) => ({ score: null, effect })) : data.blocksToward(goal), data);
    const isTarget = (word) => !unit && goal.isOwn && state.is_part && word.tokens.some((token) => state.weights[token]);
    words.paint(unit ? data.words.map((word) => data.ofWord(state.scores[unit.at], word)) : null, isTarget);
    said.textContent = unit ? data.saidOfUnit(unit) : data.saidOf(goal);
    title.textContent = unit ? `What ${quoted(unit.text)} does to the answer` : data.titleOf(goal);
    fillLargest(table, data, scores, data.lossesToward(goal));
  };

  // selecting: one side at a time
  const words = createWords(data, { choose: () => { selected = null; show(); } });
  const chooseUnit = (unit, isToggling = true) => {
    selected = isToggling && selected === unit ? null : unit;
    words.set(null);
    show();
  };
  const stops = () => [...context.querySelectorAll("[role=option]")];
  const reach = (one) => {
    for (const other of stops()) other.tabIndex = other === one ? 0 : -1;
    one.focus();
  };
  context.addEventListener("click", (event) => {
    const one = event.target.closest("[data-unit]");
    if (!one || String(getSelection())) return;
    reach(one);
    chooseUnit(Number(one.dataset.unit));
  });
  context.addEventListener("keydown", (event) => {
    const all = stops(), at = all.indexOf(document.activeElement);
    if (event.key === "Escape") chooseUnit(null);
    else if (event.key === "Enter" || event.key === " ") chooseUnit(Number(all[at].dataset.unit));
    else if (event.key in STEPS) {
      const next = all[Math.max(0, Math.min(all.length - 1, at + STEPS[event.key]))];
      reach(next);
      chooseUnit(Number(next.dataset.unit), false);
    } else return;
    event.preventDefault();
  });

  const title = element(`h${state.level}`, { class: "um-toward" }), said = element("p", { class: "um-sentence um-said", role: "status", "aria-live": "polite" });
  const heading = (text, small = "") => element(`h${state.level}`, { class: "um-sidehead" }, text, ...(small ? [" ", element("small", {}, small)] : []));
  const sides = element("div", { class: "um-sides" },
    element("div", { class: "um-context" }, heading(state.side), context),
    element("div", { class: "um-reply" }, heading(state.is_contrast ? "Continuations" : "Answer", state.summary), words.el));
  const hint = `${data.words.length < 2 ? "" : `Select ${state.is_contrast ? "a continuation" : state.adds ? "a word of the answer, or drag over a phrase," : "a token of the answer"} to see what supports it. `}Select a ${state.unit} of the context to see what it does to the answer. Arrow keys select, ${state.adds ? "Shift extends, " : ""}Escape clears.`;
  const table = element("table", { class: "um-largest" }), ramp = state.ramp ? el.querySelector(".um-ramp")?.closest("p") : null;
  el.replaceChildren(...[title, said, sides, element("p", { class: "um-key um-hint" }, hint), ramp, table, createMatrix(data, { chooseUnit }).el].filter(Boolean));
  if (stops().length) stops()[0].tabIndex = 0;
  show();
};

export const connect = () => {
  for (const view of document.querySelectorAll(".um-answer")) {
    const state = view.querySelector(".um-state");
    if (state) drawAnswer(JSON.parse(state.textContent), view.querySelector(".um-drawn"));
  }
};
