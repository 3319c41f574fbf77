// The settings of an explanation as menus: target, unit, method, baseline, scale.
import { element, labelled } from "./dom.js";
import { displayOf, isAnswer } from "./explanation.js";
import { prose } from "./numbers.js";
import { choicesOf, hasSpans, isSame } from "./spans.js";

const AUTO = { target: "predicted", unit: "word", method: "sig", baseline: "auto", scale: "auto" };
const NAMES = { target: "Explain", unit: "Unit", method: "Method", baseline: "Masked by", scale: "Scale" };

export const createSettings = ({ change }) => {
  let targets = new Map(); // by the value of their options, which are texts
  const chosen = (name, value) => change(name, name === "target" ? targets.get(value) : value);
  const menus = Object.fromEntries(Object.keys(NAMES).map((name) => [name, element("select", { name, onchange: (event) => chosen(name, event.target.value) })]));
  const fields = Object.fromEntries(Object.entries(menus).map(([name, menu]) => [name, labelled(NAMES[name], menu)]));
  const el = element("div", { class: "um-controls", role: "group", "aria-label": "Settings" }, ...Object.values(fields));

  const fill = (menu, options, value) => {
    const known = options.some(([name]) => name === value) ? options : [...options, [value, prose(value)]];
    menu.replaceChildren(...known.map(([name, text, title]) => element("option", { value: name, selected: name === value, title }, text)));
    menu.value = value;
  };
  const plain = (names) => names.map((name) => [name, prose(name)]);
  // each target with its name: labels of the model or of this text, or spans of the text
  const listTargets = (record, explanation) => {
    if (record.is_generative) return [["predicted", "whole answer"], ["next", "next token"]];
    if (explanation && hasSpans(explanation)) return choicesOf(explanation).map(({ name, target }) => [target, name]);
    const labels = record.labels ?? explanation?.outputs.labels ?? [], output = explanation && !record.labels ? displayOf(explanation).output.toLowerCase() : "label";
    return [["predicted", `predicted ${output}`], ...labels.map((one) => [one, one])];
  };
  const showTargets = (target, record, explanation) => {
    const listed = listTargets(record, explanation), own = [target, String(explanation?.target ?? target)];
    const all = Array.isArray(target) && !listed.some(([one]) => isSame(one, target)) ? [...listed, own] : listed;
    targets = new Map([...all, own].map(([one]) => [String(one), one]));
    fill(menus.target, all.map(([one, name]) => [String(one), name]), String(target));
    fields.target.hidden = record.labels?.length === 1;
  };

  const show = (settings, record, methods, explanation) => {
    const value = (name) => String(settings[name] ?? AUTO[name]);
    const auto = (name, found) => [["auto", found ? `auto (${prose(found)})` : "auto"]];
    showTargets(settings.target ?? AUTO.target, record, explanation);
    fill(menus.unit, plain(record.units), value("unit"));
    fill(menus.method, methods.map((one) => [one.name, one.name, one.description]), value("method"));
    fill(menus.baseline, [...auto("baseline", explanation?.baseline_token ?? explanation?.baseline), ...plain(record.baselines.filter((one) => one !== "auto"))], value("baseline"));
    fill(menus.scale, [...auto("scale", explanation?.scale), ...plain(record.scales.filter((one) => one !== "auto"))], value("scale"));
    fields.scale.hidden = explanation?.outputs.target?.length > 1; // several outputs have one scale only
    if (explanation && isAnswer(explanation)) menus.target.title = "Or select a phrase of the answer";
  };
  return { el, show };
};

// Only what differs from the defaults is sent.
export const chosenSettings = (settings) => Object.fromEntries(Object.entries(settings).filter(([name, value]) => value && value !== AUTO[name] && name in AUTO));
