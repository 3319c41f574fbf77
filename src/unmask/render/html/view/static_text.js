// The text of a page without a model: a click strikes out one unit, a step of a deciding set those that it masks.
import { element, write } from "./dom.js";
import { quoted } from "./numbers.js";

const connectText = (now) => {
  const home = now.closest(".um-row, .um-view"), hint = now.textContent, label = now.dataset.label ? `${now.dataset.label} ` : "";
  const units = [...home.querySelectorAll(".um-text .um-u[data-unit]")], pressable = [];
  const show = (pressed, isStruck, text) => {
    for (const one of pressable) one.setAttribute("aria-pressed", String(one === pressed));
    for (const unit of units) unit.classList.toggle("um-struck", isStruck(unit.dataset.unit));
    write(now, text);
  };
  const press = (one, isStruck, text) => (one.getAttribute("aria-pressed") === "true" ? show(null, () => false, hint) : show(one, isStruck, text));

  // what the model says without one unit is known if the page has it
  const pressUnit = (event) => {
    const one = event.target.closest("[data-w]");
    if (!one || !home.contains(one) || (event.type === "click" && String(getSelection()))) return;
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press(one, (unit) => unit === one.dataset.unit, `Without ${quoted(one.textContent)}: ${label}${one.dataset.w}.`);
  };
  for (const unit of units.filter((one) => "w" in one.dataset)) {
    unit.setAttribute("role", "button");
    unit.removeAttribute("aria-roledescription");
    pressable.push(unit);
  }
  for (const name of ["click", "keydown"]) home.addEventListener(name, pressUnit);

  for (const set of home.querySelectorAll(".um-set")) {
    const steps = [...set.querySelectorAll("li")], isNecessary = set.dataset.kind === "necessary";
    steps.forEach((step, at) => {
      const listed = new Set(steps.slice(1, at + 1).map((one) => one.dataset.unit));
      const button = element("button", { type: "button", class: "um-step" }, ...step.firstElementChild.childNodes);
      button.addEventListener("click", () => press(button, (unit) => listed.has(unit) === isNecessary, step.dataset.sentence));
      step.replaceChildren(button);
      pressable.push(button);
    });
  }
  show(null, () => false, hint);
  now.hidden = false;
};

export const connect = () => document.querySelectorAll(".um-now").forEach(connectText);
