// Numbers and short texts as the other drawings write them (render/numbers.py, render/likelihood.py, render/captions.py).

export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const largestOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);

const LEVELS = 4, FAINT = 0.05, FAINT_PUNCTUATION = 0.1, LONGEST = 40, MOST_DECIMALS = 6;
const SIZES = [[1e12, " trillion"], [1e9, " billion"], [1e6, " million"]];

export const percent = (share) => {
  if (share >= 0.0005 || share === 0) return `${(100 * share).toFixed(1)}%`;
  return share.toExponential(0);
};

export const decimalsOf = (largest) => {
  if (!largest || largest >= 1000) return largest ? 0 : 2;
  return Math.max(2, 1 - Math.floor(Math.log10(largest)));
};

export const signed = (score, decimals = 2) => {
  if (score === null || Number.isNaN(score)) return "–";
  const text = decimals > MOST_DECIMALS ? score.toExponential(1) : score.toFixed(decimals);
  if (Number(text) === 0) return text.replace("-", "");
  return score > 0 ? `+${text}` : text.replace("-", "−");
};

// A number without a plus sign.
export const decimal = (number, decimals) => signed(number, decimals).replace("+", "");
export const numberIn = (text) => Number(text.replace("−", "-"));

export const quoted = (text) => {
  const letters = Array.from(text.trim().split(/\s+/u).join(" ") || JSON.stringify(text).slice(1, -1));
  const shown = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : letters.join("");
  const mark = shown.includes('"') && !shown.includes("'") ? "'" : '"';
  return `${mark}${shown}${mark}`;
};

// "a", "b" and 3 more words
export const listed = (names, unit, most = 4) => {
  const shown = names.slice(0, most), left = names.length - shown.length;
  if (left) shown.push(`${left} more ${unit}${left > 1 ? "s" : ""}`);
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
};

export const isPunctuation = (text) => !/[\p{L}\p{N}]/u.test(text);

export const levelOf = (strength, text) => {
  const size = Math.abs(strength);
  if (!(size >= (isPunctuation(text) ? FAINT_PUNCTUATION : FAINT))) return 0;
  return Math.sign(strength) * Math.min(LEVELS, 1 + Math.trunc(size * LEVELS));
};

// The color of a score, where `full` has the strongest one.
export const colorOf = (score, full, text) => levelClass(full && score !== null ? levelOf(score / full, text) : 0);

export const levelClass = (level) => (level ? `um-${level > 0 ? "f" : "a"}${Math.abs(level)}` : "");

const factor = (lost) => {
  const exponent = lost / Math.LN10;
  if (exponent >= 14.9) return `10${Array.from(String(Math.round(exponent)), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
  const rounded = Number(Math.exp(lost).toPrecision(2));
  const [size, word] = SIZES.find(([least]) => rounded >= least) ?? [1, ""];
  return (rounded / size).toLocaleString("en-US", { maximumFractionDigits: rounded < 10 || size > 1 ? 1 : 0 }) + word;
};

export const timesLessLikely = (lost) => {
  if (!(Math.abs(lost) >= Math.log(1.05))) return "about as likely";
  return `${factor(Math.abs(lost))} times ${lost > 0 ? "less" : "more"} likely`;
};

export const prose = (name) => String(name).replaceAll("_", "-");
