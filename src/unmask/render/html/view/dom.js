// Elements from names, attributes and children. A text is always a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";

const fill = (one, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) one.addEventListener(name.slice(2), value);
    else if (value === true) one.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) one.setAttribute(name, value);
  }
  one.append(...children.flat().filter((child) => child !== null));
  return one;
};

export const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

export const shape = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

export const button = (name, press, attributes = {}) =>
  element("button", { type: "button", class: "um-button", onclick: press, ...attributes }, name);

// Writes only what differs: an unchanged live region is not read aloud again.
export const write = (one, text) => {
  if (one.textContent !== text) one.textContent = text;
};

// Shows or hides an element without moving what is below it.
export const reveal = (one, isShown) => one.classList.toggle("um-invisible", !isShown);

// A notebook may show several views, each with its own copy of the module.
const prefix = `um-${Math.random().toString(36).slice(2, 8)}`;
let count = 0;
export const freshId = () => `${prefix}-${++count}`;

// A control with its name before it.
export const labelled = (name, control) => {
  control.id ||= freshId();
  return element("div", { class: "um-labelled" }, element("label", { for: control.id }, name), control);
};

// A bar from 0 to 1; `mark` draws a ghost marker where it was.
export const bar = (share, { mark = null, name = "" } = {}) => {
  const width = (value) => `${(100 * Math.max(0, Math.min(1, value))).toFixed(2)}%`;
  const rect = shape("rect", { width: width(share), height: "100%", class: name || null });
  const ghost = shape("rect", { class: "um-ghost", x: width(mark ?? 0), width: 2, height: "100%", visibility: mark === null ? "hidden" : "visible" });
  const one = shape("svg", { class: "um-bar", "aria-hidden": "true" }, rect, ghost);
  const move = (to) => rect.setAttribute("width", width(to));
  return { el: one, move };
};

// A bar to both sides of the middle, as long as its number is large beside the largest.
export const balance = () => {
  const rect = shape("rect", { height: "100%" }), el = shape("svg", { class: "um-bar", "aria-hidden": "true" }, rect);
  const show = (number, most, color = "") => {
    const length = most ? (50 * Math.abs(number)) / most : 0;
    el.setAttribute("visibility", number === null ? "hidden" : "visible");
    for (const [name, value] of Object.entries({ x: `${number > 0 ? 50 : 50 - length}%`, width: `${length}%`, class: color })) rect.setAttribute(name, value);
  };
  return { el, show };
};
