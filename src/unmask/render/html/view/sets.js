// The deciding sets step by step: a step masks its units, or shows them alone.
import { bar, element } from "./dom.js";
import { shareAtBaseline } from "./explanation.js";

const START = { necessary: "Whole text", sufficient: "All masked" };
const TITLES = { necessary: "To change the prediction, mask", sufficient: "To keep it, show only" };
const LABELS = { necessary: "Steps: masked one after the other", sufficient: "Steps: shown one after the other, all others masked" };

export const createSets = ({ step }) => {
  const el = element("section", { class: "um-sets", "aria-label": "Deciding words, step by step" });
  let steps = [];

  const stepButton = (explanation, kind, { unit, number }, share) => {
    const name = unit === null ? START[kind] : `${kind === "necessary" ? "− " : "+ "}${explanation.units[unit].text.trim()}`;
    const drawn = share === undefined ? null : bar(share).el;
    return element("button", { type: "button", class: "um-step", "aria-pressed": "false" }, element("span", { dir: "auto" }, name), " ", element("b", {}, number), drawn);
  };
  const others = (explanation, units) => explanation.units.map((_, at) => at).filter((unit) => !units.includes(unit));
  const drawSet = (explanation, { kind, steps: listed }) => {
    const shares = sharesOf(explanation, kind), units = listed.map((one) => one.unit).filter((unit) => unit !== null);
    const items = listed.map((one, at) => {
      const press = stepButton(explanation, kind, one, shares[at]), shown = units.slice(0, at);
      const masked = kind === "necessary" ? shown : others(explanation, shown);
      steps.push({ press, masked: [...masked].sort((a, b) => a - b).join() });
      press.addEventListener("click", () => step(masked));
      return element("li", {}, press);
    });
    return element("div", { class: "um-set" }, element("h3", { class: "um-steptitle" }, TITLES[kind]), element("ol", { class: "um-steps", "aria-label": LABELS[kind] }, ...items));
  };
  const draw = (explanation) => {
    steps = [];
    el.replaceChildren(...(explanation.captions?.sets ?? []).map((one) => drawSet(explanation, one)));
  };
  const show = ({ masked }, isPlain) => {
    const now = masked.join();
    for (const { press, masked: units } of steps) press.setAttribute("aria-pressed", String(isPlain && units === now));
  };
  return { el, draw, show };
};

const sharesOf = (explanation, kind) => {
  const found = explanation.sets?.[kind], label = explanation.prediction.label;
  const first = kind === "necessary" ? explanation.prediction.probabilities?.[label] : shareAtBaseline(explanation, label);
  return [first, ...(found?.steps ?? []).map((one) => one.probability ?? undefined)];
};
