// The settings of an explanation as menus: target, unit, method, baseline, scale.
import { element, labelled } from "./dom.js";
import { isAnswer } from "./explanation.js";
import { prose } from "./numbers.js";

const AUTO = { target: "predicted", unit: "word", method: "sig", baseline: "auto", scale: "auto" };
const NAMES = { target: "Explain", unit: "Unit", method: "Method", baseline: "Masked by", scale: "Scale" };

export const createSettings = ({ change }) => {
  const menus = Object.fromEntries(Object.keys(NAMES).map((name) => [name, element("select", { name, onchange: (event) => change(name, event.target.value) })]));
  const fields = Object.entries(menus).map(([name, menu]) => labelled(NAMES[name], menu));
  const el = element("div", { class: "um-controls", role: "group", "aria-label": "Settings" }, ...fields);

  const fill = (menu, options, value) => {
    const known = options.some(([name]) => name === value) ? options : [...options, [value, prose(value)]];
    menu.replaceChildren(...known.map(([name, text, title]) => element("option", { value: name, selected: name === value, title }, text)));
    menu.value = value;
  };
  const plain = (names) => names.map((name) => [name, prose(name)]);
  const targets = (record) => [["predicted", record.labels ? "predicted label" : "whole answer"], ...(record.labels ?? [["next", "next token"]]).map((one) => (Array.isArray(one) ? one : [one, one]))];

  const show = (settings, record, methods, explanation) => {
    const value = (name) => String(settings[name] ?? AUTO[name]);
    const auto = (name, found) => [["auto", found ? `auto (${prose(found)})` : "auto"]];
    fill(menus.target, targets(record), value("target"));
    fill(menus.unit, plain(record.units), value("unit"));
    fill(menus.method, methods.map((one) => [one.name, one.name, one.description]), value("method"));
    fill(menus.baseline, [...auto("baseline", explanation?.baseline_token ?? explanation?.baseline), ...plain(record.baselines.filter((one) => one !== "auto"))], value("baseline"));
    fill(menus.scale, [...auto("scale", explanation?.scale), ...plain(record.scales.filter((one) => one !== "auto"))], value("scale"));
    if (explanation && isAnswer(explanation)) menus.target.title = "Or select a phrase of the answer";
  };
  return { el, show };
};

// Only what differs from the defaults is sent.
export const chosenSettings = (settings) => Object.fromEntries(Object.entries(settings).filter(([name, value]) => value && value !== AUTO[name] && name in AUTO));
