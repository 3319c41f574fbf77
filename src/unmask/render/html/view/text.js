// The text with its units, colored by score and masked by pointer or keyboard. It only reports what the reader did.
import { element } from "./dom.js";
import { displayOf, partsOf } from "./explanation.js";
import { colorOf, decimalsOf, largestOf, signed } from "./numbers.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

export const createText = ({ press, select, command, label }) => {
  const el = element("div", { class: "um-units", role: "group", "aria-label": label });
  let units = [], explanation = null, isLock = () => true, anchor = null, chosen = [], isPressed = false, hasMoved = false;

  // elements
  const unitElement = (part) => {
    const one = element("span", { class: "um-u", role: "button", tabindex: -1, "aria-pressed": "false", dir: "auto" }, part.text);
    one.dataset.unit = part.unit;
    units[part.unit] = { el: one, text: part.text };
    return one;
  };
  // locked words can be unlocked; what the task itself keeps, such as the mask to fill, cannot
  const fixedElement = (part) => {
    if (!isLock(part.span)) return element("span", { class: "um-locked" }, part.text);
    const one = element("span", { class: "um-u um-locked um-fixed", role: "button", tabindex: -1, "aria-label": `${part.text}, locked: select to unlock` }, part.text);
    one.dataset.fixed = explanation.fixed.findIndex((span) => span.start === part.span.start && span.segment === part.span.segment);
    return one;
  };
  const partElement = (part) => {
    if (part.unit !== undefined && part.unit !== null) return unitElement(part);
    if (part.isFixed) return fixedElement(part);
    return part.isUnread && part.text.trim() ? element("span", { class: "um-unread" }, part.text) : part.text;
  };
  const block = ({ segment, name, head }, isNamed) => element("div", { class: "um-block" },
    isNamed ? head ?? element("p", { class: "um-place", dir: "auto" }, name) : null,
    element("p", { class: "um-text", dir: "auto", lang: "" }, ...partsOf(explanation, segment).map(partElement)));

  const draw = (next, segments, isOwnLock) => {
    const focused = el.contains(document.activeElement) ? document.activeElement.dataset.unit : undefined;
    [explanation, units, isLock, chosen, anchor] = [next, [], isOwnLock, [], null];
    el.classList.toggle("um-beside", displayOf(next).is_beside && segments.length === 2);
    el.replaceChildren(...segments.map((one) => block(one, segments.length > 1)));
    const first = stops()[0];
    if (first) first.tabIndex = 0;
    if (units[focused]) reach(units[focused].el);
  };

  // colors: `full` is the score with the strongest color; it does not change while words are masked
  const paint = (scores, full) => {
    const decimals = decimalsOf(largestOf(scores));
    units.forEach((unit, at) => {
      unit.color = colorOf(scores[at], full, unit.text);
      unit.number = signed(scores[at], decimals);
      unit.el.dataset.s = unit.number;
    });
  };

  // marks: struck out if masked, underlined if locked, in italics if replaced
  const flagsOf = (at, { marks, outlined, predicted, selected }) => ({
    "um-struck": marks.masked.includes(at), "um-locked": marks.locked.includes(at), "um-replaced": at in marks.replaced,
    "um-outlined": outlined.includes(at), "um-selected": chosen.includes(at), "um-chosen": selected === at,
    "um-predicted": predicted.includes(at), "um-unknown": Boolean(explanation.units[at].unknown),
  });
  const spoken = (unit, flags) => [unit.el.textContent, unit.number, flags["um-struck"] && "masked", flags["um-locked"] && "locked",
    flags["um-replaced"] && `in place of ${unit.text}`, flags["um-outlined"] && "deciding", flags["um-predicted"] && "predicted", flags["um-unknown"] && "unknown to the tokenizer"].filter(Boolean).join(", ");
  const mark = (state) => {
    units.forEach((unit, at) => {
      const flags = flagsOf(at, state), text = state.marks.replaced[at] ?? unit.text;
      unit.el.className = ["um-u", unit.color, ...Object.keys(flags).filter((name) => flags[name])].filter(Boolean).join(" ");
      if (unit.el.textContent !== text) unit.el.textContent = text;
      unit.el.setAttribute("aria-pressed", String(flags["um-struck"] || flags["um-chosen"]));
      unit.el.setAttribute("aria-label", spoken(unit, flags));
    });
  };

  // pointer: a click presses one unit, a drag a phrase
  const stops = () => [...el.querySelectorAll("[role=button]")];
  const unitAt = (event) => {
    const one = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-unit]");
    return one && el.contains(one) ? Number(one.dataset.unit) : null;
  };
  const between = (from, to) => Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => Math.min(from, to) + at);
  const choose = (next) => {
    chosen = next;
    select(chosen);
  };
  const reach = (one) => {
    for (const other of stops()) other.tabIndex = other === one ? 0 : -1;
    one.focus({ preventScroll: isPressed });
  };
  el.addEventListener("pointerdown", (event) => {
    const one = event.target.closest("[role=button]");
    if (!one || event.button) return;
    isPressed = true;
    hasMoved = false;
    reach(one);
    if (one.dataset.unit === undefined) return;
    anchor = event.shiftKey && anchor !== null ? anchor : Number(one.dataset.unit);
    choose(between(anchor, Number(one.dataset.unit)));
  });
  el.addEventListener("pointermove", (event) => {
    const to = isPressed && anchor !== null ? unitAt(event) : null;
    if (to === null || (to === anchor && !hasMoved)) return;
    hasMoved = true;
    choose(between(anchor, to));
  });
  const released = (event) => {
    if (!isPressed) return;
    isPressed = false;
    const fixed = event.target.closest?.("[data-fixed]");
    if (event.type === "pointercancel") return;
    if (fixed) command("unlock", Number(fixed.dataset.fixed));
    else if (chosen.length && (hasMoved || unitAt(event) !== null)) press(chosen);
  };
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, released);
  el.addEventListener("mousedown", (event) => event.target.closest("[role=button]") && event.preventDefault());

  // keyboard
  const besideLine = (all, at, direction) => {
    const box = all[at].getBoundingClientRect(), middle = (one) => (one.left + one.right) / 2;
    const rows = all.map((one, index) => ({ index, box: one.getBoundingClientRect() })).filter(({ box: other }) => direction * (other.top - box.top) > box.height / 2);
    if (!rows.length) return at;
    const nearest = Math.min(...rows.map((row) => direction * row.box.top)), row = rows.filter((one) => direction * one.box.top <= nearest + box.height / 2);
    return row.reduce((best, one) => (Math.abs(middle(one.box) - middle(box)) < Math.abs(middle(best.box) - middle(box)) ? one : best)).index;
  };
  const moveTo = (one, isExtending) => {
    reach(one);
    const at = one.dataset.unit === undefined ? null : Number(one.dataset.unit);
    if (at === null) return;
    if (!isExtending || anchor === null) anchor = at;
    choose(between(anchor, at));
  };
  const destination = (event, all, at) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") return besideLine(all, at, event.key === "ArrowDown" ? 1 : -1);
    const direction = getComputedStyle(all[at].closest(".um-text")).direction === "rtl" && event.key.startsWith("Arrow") ? -1 : 1;
    return Math.max(0, Math.min(all.length - 1, at + direction * STEPS[event.key]));
  };
  const KEYS = { o: "only", l: "lock", r: "replace", F2: "replace", Escape: "clear" };
  el.addEventListener("keydown", (event) => {
    const all = stops(), at = all.indexOf(document.activeElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const one = all[at];
    if (event.key in STEPS || event.key === "ArrowUp" || event.key === "ArrowDown") moveTo(all[destination(event, all, at)], event.shiftKey);
    else if (event.key === " " || event.key === "Enter") pressFocused(one);
    else if (event.key in KEYS) command(KEYS[event.key], null, prepare(one));
    else return;
    event.preventDefault();
  });
  const prepare = (one) => {
    const unit = one.dataset.unit === undefined ? null : Number(one.dataset.unit);
    if (unit !== null && !chosen.includes(unit)) moveTo(one, false);
  };
  const pressFocused = (one) => {
    if (one.dataset.fixed !== undefined) return command("unlock", Number(one.dataset.fixed));
    prepare(one);
    return press(chosen);
  };

  const stop = () => { for (const name of ["pointerup", "pointercancel"]) document.removeEventListener(name, released); };
  return { el, draw, paint, mark, stop, chosen: () => chosen, focusUnit: (at) => units[at] && reach(units[at].el) };
};
