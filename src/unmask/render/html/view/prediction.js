// The prediction: a bar for each label with a ghost marker at the original, and the joint drop beside the single drops.
import { bar, button, element, reveal, write } from "./dom.js";
import { decimal, decimalsOf, listed, numberIn, percent, prose, quoted, timesLessLikely } from "./numbers.js";
import { DISPLAY, displayOf, isAnswer, rangeOf, targetLabel, wholePoint } from "./explanation.js";
import { hasSpans, shareOfBar, spanBars, spansInShort } from "./spans.js";

const MOST = 6, NAMED = 3;

export const createPrediction = ({ choose }) => {
  const heading = element("h2", { class: "um-headline" }), shares = element("ul", { class: "um-shares" });
  const now = element("p", { class: "um-now", role: "status", "aria-live": "polite", "aria-atomic": "true" });
  const drops = createDrops();
  const el = element("section", { class: "um-prediction", "aria-label": "Prediction" }, heading, shares, now, drops.el);
  let explanation = null, rows = [];

  const labelsOf = ({ prediction }) => {
    const ranked = Object.entries(prediction.probabilities ?? {}).sort((one, other) => other[1] - one[1]).map(([label]) => label);
    return [...new Set([...ranked.slice(0, MOST), ...(targetLabel(explanation) ? [targetLabel(explanation)] : [])])];
  };
  // An answer's bar is the mean probability of its tokens; the probability of the whole answer is too small for a bar.
  const shareOf = (point, label) => {
    const share = point.probabilities?.[label] ?? 0;
    return isAnswer(explanation) ? share ** (1 / Math.max(1, explanation.outputs.tokens?.length ?? 1)) : share;
  };
  const labelBar = (label) => ({
    name: isAnswer(explanation) ? "mean per token" : label, target: label === explanation.prediction.label ? "predicted" : label, isTarget: label === targetLabel(explanation),
    share: (point) => shareOf(point, label), isBold: (point) => label === point.label || Boolean(point.labels?.includes(label)),
  });
  const valueBar = () => {
    const [low, high] = rangeOf(explanation);
    return { name: displayOf(explanation).value, target: "predicted", isTarget: true, share: ({ value }) => (value - low) / (high - low || 1), written: numberOf, isBold: () => true };
  };
  const spanBar = (one) => ({ ...one, share: (point) => shareOfBar(explanation, point, one), isBold: () => one.isTarget });
  // what belongs to this text alone, such as an entity, is a button: choose what is explained
  const nameOf = ({ name, target, isTarget }, isChoice) => (isChoice
    ? button(name, () => choose(target), { class: "um-button um-label um-entity", dir: "auto", "aria-pressed": String(isTarget) })
    : element("span", { class: "um-label", dir: "auto" }, name));
  const row = (one, isChoice) => {
    const whole = wholePoint(explanation), share = one.share(whole), drawn = bar(share, { mark: share });
    const { written = (point) => percent(one.share(point) ?? 0) } = one;
    const name = nameOf(one, isChoice), number = element("span", { class: "um-number" });
    const was = element("span", { class: "um-was" }, `was ${written(whole)}`);
    rows.push({ ...one, written, drawn, name, number, was });
    const item = element("li", {}, name, drawn.el, number, was);
    reveal(item, !one.isHidden);
    return item;
  };
  const draw = (next, { target = "predicted", isChoosable }) => {
    const isFocused = shares.contains(document.activeElement);
    [explanation, rows] = [next, []];
    el.classList.toggle("um-spans", hasSpans(next));
    const bars = hasSpans(next) ? spanBars(next, target).map(spanBar) : next.prediction.label === null ? [valueBar()] : labelsOf(next).map(labelBar);
    const isChoice = isChoosable && bars.filter((one) => !one.isHidden).length > 1;
    shares.replaceChildren(...bars.map((one) => row(one, isChoice)));
    if (isFocused) shares.querySelector("[aria-pressed=true]")?.focus();
  };

  const numberOf = (point) => Number(point.value).toPrecision(4), valueOf = (point) => `${displayOf(explanation).value} ${numberOf(point)}`;
  const title = (point) => {
    if (isAnswer(explanation)) return point.change ? timesLessLikely(-point.change) : "as written";
    if (point.label === null) return displayOf(explanation).value === DISPLAY.value ? valueOf(point) : numberOf(point);
    if (hasSpans(explanation)) return spansInShort(point);
    const name = point.labels ? point.labels.join(", ") || "no label" : point.label;
    return name;
  };
  // a label that is a text of its own, such as a choice or an answer, stands in quotes
  const named = (label) => (displayOf(explanation).is_quoted || displayOf(explanation).spans === "answer" ? quoted(label) : label);
  const about = (point) => (point.isEstimate ? "≈ " : "");
  const spokenSpans = (point, label) => {
    const target = rows.find((one) => one.isTarget), name = named(displayOf(explanation).spans === "answer" ? target.name.textContent : label);
    return `${name} ${about(point)}${percent(target.share(point))}${point.label === explanation.prediction.label ? "" : ` (prediction: ${named(spansInShort(point, 1))})`}`;
  };
  const spoken = (point, marks) => {
    const label = targetLabel(explanation), share = point.probabilities?.[label], names = marks.masked.map((unit) => quoted(explanation.units[unit].text));
    const edits = Object.entries(marks.replaced).map(([unit, text]) => `${quoted(text)} for ${quoted(explanation.units[unit].text)}`);
    const said = [names.length && `Without ${listed(names, explanation.unit, NAMED)}`, edits.length && `${names.length ? "with" : "With"} ${edits.join(", ")}`].filter(Boolean).join("; ") || "Whole text";
    if (isAnswer(explanation)) return `${said}: the answer is ${marks.masked.length || edits.length ? timesLessLikely(-point.change) : `written with probability ${percent(share)}`}.`;
    if (hasSpans(explanation)) return `${said}: ${spokenSpans(point, label)}.`;
    if (share === undefined) return `${said}: ${displayOf(explanation).value} ${about(point)}${numberOf(point)}.`;
    return `${said}: ${named(label)} ${about(point)}${percent(share)}${point.label === label || point.labels ? "" : ` (prediction: ${named(point.label)})`}.`;
  };

  const show = (point, marks, { singles = null } = {}) => {
    const isChanged = marks.masked.length > 0 || Object.keys(marks.replaced).length > 0;
    const hasFlipped = !isAnswer(explanation) && point.label !== explanation.prediction.label;
    const before = hasFlipped && named(hasSpans(explanation) ? spansInShort(explanation.prediction) : explanation.prediction.label);
    const small = `${isAnswer(explanation) ? "Answer" : displayOf(explanation).prediction}${isChanged && !(hasSpans(explanation) && point.isEstimate) ? " now" : ""}${hasFlipped ? ` (was ${before})` : ""}`;
    heading.replaceChildren(element("small", {}, small), element("span", { dir: "auto" }, title(point)));
    el.classList.toggle("um-pending", point.isEstimate);
    el.classList.toggle("um-flipped", hasFlipped);
    for (const one of rows) {
      const share = one.share(point);
      one.drawn.move(share ?? 0);
      one.number.textContent = share === null ? "–" : `${about(point)}${one.written(point)}`;
      one.name.classList.toggle("um-bold", one.isBold(point));
      reveal(one.was, isChanged);
    }
    if (!point.isPending) write(now, spoken(point, marks));
    drops.show(explanation, point, marks, singles);
  };
  return { el, draw, show };
};

// For several masked words: the joint drop beside the sum of the single drops.
const createDrops = () => {
  const joint = dropRow("together"), added = dropRow("sum of single drops");
  const said = element("p", { class: "um-more" }), rows = element("dl", { class: "um-drops" }, joint.el, added.el);
  const el = element("div", { class: "um-joint" }, rows, said);
  const show = (explanation, point, marks, singles) => {
    const isSeveral = marks.masked.length > 1 && !Object.keys(marks.replaced).length, isKnown = isSeveral && singles !== null;
    el.classList.toggle("um-idle", !isSeveral);
    if (!isSeveral) return write(said, hintOf(explanation, marks));
    const drop = -point.change, most = Math.max(Math.abs(drop), Math.abs(singles ?? 0)), decimals = decimalsOf(most);
    joint.show(drop, most, decimals, point.isEstimate);
    added.show(isKnown ? singles : null, most, decimals, false);
    if (point.isPending) return write(said, `Drop of the ${quantity(explanation)}; asking the model…`);
    return write(said, isKnown && !point.isEstimate ? relation(drop, singles, explanation, decimals) : `Drop of the ${quantity(explanation)}, estimated by the sum of the single drops.`);
  };
  return { el, show };
};

const quantity = (explanation) => {
  const label = targetLabel(explanation), scale = explanation.scale === "value" ? displayOf(explanation).value : prose(explanation.scale);
  if (displayOf(explanation).whole.includes(label)) return `${scale} of the ${label}`;
  return label === null ? scale : `${scale} of ${isAnswer(explanation) ? "the answer" : quoted(String(label))}`;
};

const hintOf = (explanation, marks) => (Object.keys(marks.replaced).length
  ? "Words are replaced: explain the edited text to see its scores."
  : `Mask two ${explanation.unit}s or more to see whether they cover for each other.`);

const relation = (drop, singles, explanation, decimals) => {
  const written = (number) => numberIn(decimal(number, decimals)); // the difference of what is written above
  const beyond = drop - singles, size = decimal(Math.abs(written(drop) - written(singles)), decimals), units = `${explanation.unit}s`;
  const lead = `Drop of the ${quantity(explanation)}.`;
  if (numberIn(size) === 0 || Math.abs(beyond) < 0.05 * Math.abs(drop)) return `${lead} Together as much as one by one.`;
  return beyond * Math.sign(drop || 1) > 0
    ? `${lead} Together ${size} more: these ${units} cover for each other.`
    : `${lead} Together ${size} less: these ${units} need each other.`;
};

const dropRow = (name) => {
  const drawn = bar(0), number = element("span", { class: "um-number" });
  const el = element("div", {}, element("dt", {}, name), element("dd", {}, drawn.el, number));
  const show = (drop, most, decimals, isEstimate) => {
    drawn.move(most && drop !== null ? Math.abs(drop) / most : 0);
    number.textContent = drop === null ? "…" : `${isEstimate ? "≈ " : ""}${decimal(drop, decimals)}`;
  };
  return { el, show };
};
