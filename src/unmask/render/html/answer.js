// Draws the explanation of an answer from its state: data in, elements out. Texts become text nodes, never markup.
const drawAnswer = (() => {
  const LEVELS = 4, FAINT = 0.05, FAINT_PUNCTUATION = 0.1, TOP = 8, LONGEST = 40;
  const SVG = "http://www.w3.org/2000/svg", CELL = 16, LABELS = 170, HEAD = 96;
  const NAMED = ["token", "word", "sentence", "paragraph", "message"];
  const SIZES = [[1e12, " trillion"], [1e9, " billion"], [1e6, " million"]];

  const fill = (one, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...children);
    return one;
  };
  const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const shape = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  // numbers and sentences, as render/likelihood.py writes them
  const factor = (lost) => {
    const exponent = lost / Math.LN10;
    if (exponent >= 14.9) return `10${[...String(Math.round(exponent))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
    const rounded = Number(Math.exp(lost).toPrecision(2));
    const [size, word] = SIZES.find(([size]) => rounded >= size) ?? [1, ""];
    return (rounded / size).toLocaleString("en-US", { maximumFractionDigits: rounded < 10 || size > 1 ? 1 : 0 }) + word;
  };
  const timesLessLikely = (lost) =>
    Math.abs(lost) >= Math.log(1.05) ? `${factor(Math.abs(lost))} times ${lost > 0 ? "less" : "more"} likely` : "about as likely";
  const ended = (sentence) => (sentence.endsWith('."') ? sentence : `${sentence}.`);
  const quoted = (text) => {
    const line = text.trim().split(/\s+/u).join(" ");
    const letters = [...(line || JSON.stringify(text).slice(1, -1))];
    return `"${letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : letters.join("")}"`;
  };
  const isPunctuation = (text) => !/[\p{L}\p{N}]/u.test(text);
  const levelOf = (strength, text) => {
    const size = Math.abs(strength);
    if (!(size >= (isPunctuation(text) ? FAINT_PUNCTUATION : FAINT))) return 0;
    return Math.sign(strength) * Math.min(LEVELS, 1 + Math.trunc(size * LEVELS));
  };
  const levelClass = (level) => (level ? `um-${level > 0 ? "f" : "a"}${Math.abs(level)}` : "");
  const percent = (share) => (share >= 0.0005 ? `${(100 * share).toFixed(1)}%` : share.toExponential(0));

  const draw = ({ state, el }) => {
    const unitOf = (at) => ({ at, name: state.units[at][0], text: state.units[at][1], kind: state.units[at][2], block: state.units[at][3] });
    const units = state.units.map((_, at) => unitOf(at)), scale = 10 ** -state.digits;
    const words = state.words.filter((word) => typeof word !== "string").map(([text, tokens, share], at) => ({ at, text, tokens, share }));
    const losses = state.losses ?? (state.loses ? state.scores : null);
    const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
    const decimalsOf = (most) => (most >= 1000 ? 0 : most ? Math.min(state.digits, Math.max(2, 1 - Math.floor(Math.log10(most)))) : 2);
    const signed = (score, decimals) => {
      if (score === null) return "not computed";
      const text = decimals > 6 ? score.toExponential(1) : score.toFixed(decimals);
      return Number(text) === 0 ? text.replace("-", "") : score > 0 ? `+${text}` : text.replace("-", "−");
    };
    // the weighted sum of a unit's cells; cells that do not exist are skipped; null if none exists
    const sum = (row, weights) => {
      const cells = row === null ? [] : row.map((cell, at) => [cell, weights[at]]).filter(([cell, weight]) => cell !== null && weight);
      return cells.length ? scale * cells.reduce((total, [cell, weight]) => total + cell * weight, 0) : null;
    };
    const toward = (matrix, weights) => matrix.map((row) => sum(row, weights));
    const only = (tokens) => state.columns.map((_, at) => Number(tokens.includes(at)));

    // the selection: nothing, a range of words of the answer, or a unit of the context
    let selection = null, anchor = 0, isPressed = false;
    const chosenWords = () => (selection?.side === "answer" ? words.slice(selection.from, selection.to + 1) : []);
    const target = () => {
      const chosen = chosenWords();
      if (!chosen.length) return { weights: state.weights, subject: state.subject, versus: state.versus, isOwn: true };
      const phrase = state.is_contrast ? chosen[0].text : phraseOf(selection.from, selection.to);
      return { weights: only(chosen.flatMap((word) => word.tokens)), subject: quoted(phrase), versus: "", isOwn: false };
    };
    const phraseOf = (from, to) => {
      const places = state.words.flatMap((word, at) => (typeof word === "string" ? [] : [at]));
      return state.words.slice(places[from], places[to] + 1).map((word) => (typeof word === "string" ? word : word[0])).join("");
    };

    // sentences
    const withoutUnit = (unit, subject, versus, lost) => {
      const context = unit.name.slice(unit.text.length), named = `${NAMED.includes(unit.kind) ? `the ${unit.kind} ` : ""}${quoted(unit.text)}${context}`;
      return ended(`Without ${named}, ${subject} is ${timesLessLikely(lost)}${versus && ` relative to ${versus}`}`);
    };
    const strongest = (values) => values.reduce((best, value, at) => (value !== null && (best < 0 || Math.abs(value) > Math.abs(values[best])) ? at : best), -1);
    const saidOfAnswer = ({ weights, subject, versus }) => {
      const said = [], lost = losses ? toward(losses, weights).slice(0, state.count) : [], most = strongest(lost);
      if (most >= 0) said.push(withoutUnit(units[most], subject, versus, lost[most]));
      if (state.context) {
        const gone = state.context.reduce((total, cell, at) => total + scale * cell * weights[at], 0);
        said.push(ended(`Without the documents, ${subject} is ${timesLessLikely(gone)}${versus && ` relative to ${versus}`}`));
      }
      return said.join(" ") || ended(`What ${state.signed ? "supports" : "matters to"} ${subject}`);
    };
    const saidOfUnit = (unit) => {
      if (state.scores[unit.at] === null) return ended(`The ${unit.kind} ${quoted(unit.text)} was not computed`);
      if (!losses) return ended(`What ${quoted(unit.text)} does to the answer`);
      const lost = words.map((word) => sum(losses[unit.at], only(word.tokens))), most = strongest(lost);
      const whole = sum(losses[unit.at], state.weights);
      const first = whole === null ? "" : withoutUnit(unit, state.subject, state.versus, whole);
      const word = most < 0 || words.length < 2 ? "" : ended(`Most affected: ${quoted(words[most].text)}, ${timesLessLikely(lost[most])}`);
      return [first, word].filter(Boolean).join(" ");
    };

    // elements
    const unitElements = new Map(), wordElements = [], heads = [];
    const option = (classes, dataset) => {
      const one = element("span", { class: classes, role: "option", "aria-selected": "false", tabindex: "-1" });
      Object.assign(one.dataset, dataset);
      return one;
    };
    const unitElement = (unit, isChip) => {
      const flags = `${state.unknown.includes(unit.at) ? " um-unknown" : ""}${state.outlined.includes(unit.at) ? " um-outlined" : ""}`;
      const one = option(isChip ? "um-chip" : `um-u${flags}`, { unit: unit.at, base: isChip ? "um-chip" : `um-u${flags}` });
      if (!isChip) one.append(unit.text);
      unitElements.set(unit.at, one);
      return one;
    };
    const block = (given) => {
      const rect = shape("rect", { height: "100%" }), number = element("span", { class: "um-number" }), effect = element("span", { class: "um-effect" });
      heads.push({ rect, number, effect, given });
      const head = element("header", { class: "um-blockhead" }, element("span", { class: "um-blockname", dir: "auto" }, given.name), shape("svg", { class: "um-bar", "aria-hidden": "true" }, rect), number, effect);
      const text = element("p", { class: "um-text", dir: "auto", lang: "" });
      for (const piece of given.pieces) text.append(typeof piece === "string" ? piece : unitElement(unitOf([piece].flat()[0]), Array.isArray(piece)));
      return element("section", { class: "um-block", role: "group", "aria-label": given.name }, ...(state.blocks.length > 1 ? [head] : []), text);
    };
    const answerText = () => {
      const text = element("p", { class: `um-text${state.is_contrast ? " um-continuations" : ""}`, dir: "auto", lang: "" });
      for (const word of state.words) {
        if (typeof word === "string") {
          text.append(word);
          continue;
        }
        const one = option("um-t", { word: wordElements.length, base: `um-t${word[0].trim() ? "" : word[0].includes("\n") ? " um-break" : " um-blank"}` });
        one.append(word[0]);
        wordElements.push(one);
        text.append(one);
      }
      return text;
    };
    const title = element(`h${state.level}`, { class: "um-toward" }), said = element("p", { class: "um-sentence um-said", role: "status", "aria-live": "polite" });
    const context = element("div", { class: "um-options", role: "listbox", "aria-label": "Context" }, ...state.blocks.map(block));
    const reply = element("div", { class: "um-options", role: "listbox", "aria-label": state.is_contrast ? "Continuations" : "Answer", "aria-multiselectable": String(state.adds) }, answerText());
    const table = element("table", { class: "um-largest" });

    // colors
    const paint = (one, score, full, text, extra, spoken) => {
      const level = full && score !== null ? levelOf(score / full, text) : 0;
      one.className = [one.dataset.base, state.colored ? levelClass(level) : "", extra].filter(Boolean).join(" ");
      one.dataset.s = spoken;
      one.setAttribute("aria-label", `${text} ${spoken}`);
    };
    const mark = (one, isChosen) => {
      one.setAttribute("aria-selected", String(isChosen));
      one.classList.toggle("um-chosen", isChosen);
    };
    const paintContext = (scores, weights) => {
      const full = scores ? largest(scores) : 0, decimals = decimalsOf(full);
      for (const [at, one] of unitElements) {
        const missing = state.scores[at] === null || (scores && scores[at] === null);
        paint(one, scores?.[at] ?? null, full, units[at].text, missing ? "um-missing" : "", scores ? signed(scores[at], decimals) : state.scores[at] === null ? "not computed" : "");
        mark(one, selection?.unit === at);
      }
      const masked = heads.map(({ given }) => (scores ? sum(given.scores, weights) : null)), most = largest(masked);
      heads.forEach(({ rect, number, effect, given }, at) => {
        const share = most ? (50 * Math.abs(masked[at])) / most : 0;
        rect.parentNode.setAttribute("visibility", masked[at] === null ? "hidden" : "visible");
        rect.setAttribute("x", `${masked[at] > 0 ? 50 : 50 - share}%`);
        rect.setAttribute("width", `${share}%`);
        rect.setAttribute("class", state.colored ? levelClass(levelOf(most ? masked[at] / most : 0, "x")) : "");
        number.textContent = masked[at] === null ? "" : signed(masked[at], decimalsOf(most));
        effect.textContent = masked[at] === null ? given.effect : given.loses ? timesLessLikely(sum(given.losses ?? given.scores, weights)) : "";
      });
    };
    const paintAnswer = (row) => {
      const scores = words.map((word) => (row ? sum(row, only(word.tokens)) : null)), full = largest(scores), chosen = chosenWords(), decimals = decimalsOf(full);
      wordElements.forEach((one, at) => {
        const isTarget = selection === null && state.is_part && words[at].tokens.some((token) => state.weights[token]);
        paint(one, scores[at], full, words[at].text, row && scores[at] === null ? "um-missing" : "", row ? signed(scores[at], decimals) : percent(words[at].share));
        mark(one, isTarget || chosen.includes(words[at]));
      });
    };
    const fillTable = (scores, weights) => {
      const order = scores.slice(0, state.count).map((_, at) => at).filter((at) => scores[at] !== null).sort((a, b) => Math.abs(scores[b]) - Math.abs(scores[a])).slice(0, TOP);
      const lost = losses && toward(losses, weights), full = largest(scores.slice(0, state.count)), decimals = decimalsOf(full), column = (name, ...classes) => element("th", { scope: "col", class: classes.join(" ") }, name);
      const head = element("thead", {}, element("tr", {}, column(state.unit), ...(state.blocks.length > 1 ? [column("text")] : []), column("score", "um-number"), ...(lost ? [column("without it", "um-number")] : []), element("td")));
      const body = order.map((at) => {
        const share = full ? (50 * Math.abs(scores[at])) / full : 0;
        const bar = shape("rect", { class: state.colored ? levelClass(levelOf(full ? scores[at] / full : 0, units[at].text)) : "", x: `${scores[at] > 0 ? 50 : 50 - share}%`, width: `${share}%`, height: "100%" });
        const name = element("th", { scope: "row", dir: "auto", lang: "" }, units[at].name);
        const cells = [signed(scores[at], decimals), ...(lost ? [timesLessLikely(lost[at])] : [])].map((text) => element("td", { class: "um-number" }, text));
        const place = state.blocks.length > 1 ? [element("td", {}, state.blocks[units[at].block].name)] : [];
        return element("tr", {}, name, ...place, ...cells, element("td", {}, shape("svg", { class: "um-bar", "aria-hidden": "true" }, bar)));
      });
      table.replaceChildren(element("caption", {}, "Largest scores"), head, element("tbody", {}, ...body));
    };
    const show = () => {
      const goal = target(), scores = goal.isOwn && state.own ? state.own.map((score) => score === null ? null : score * scale) : toward(state.scores, goal.weights);
      if (selection?.side === "context") {
        paintContext(null, null);
        paintAnswer(state.scores[selection.unit]);
        said.textContent = saidOfUnit(units[selection.unit]);
        title.textContent = `What ${quoted(units[selection.unit].text)} does to the answer`;
      } else {
        paintContext(scores, goal.weights);
        paintAnswer(null);
        said.textContent = saidOfAnswer(goal);
        title.textContent = goal.isOwn ? state.heading : `What ${state.signed ? "supports" : "matters to"} ${goal.subject}`;
      }
      fillTable(scores, goal.weights);
    };
    const select = (next) => {
      selection = next;
      show();
    };
    const selectWords = (from, to) => {
      const [first, last] = state.adds ? [Math.min(from, to), Math.max(from, to)] : [to, to];
      select({ side: "answer", from: first, to: last });
    };

    // pointer and keyboard
    const stops = (list) => [...list.querySelectorAll("[role=option]")];
    const reach = (list, one) => {
      for (const other of stops(list)) other.tabIndex = other === one ? 0 : -1;
      one.focus({ preventScroll: isPressed });
    };
    const wordAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-word]");
    reply.addEventListener("pointerdown", (event) => {
      const one = event.target.closest("[data-word]");
      if (!one || event.button) return;
      event.preventDefault();
      const at = Number(one.dataset.word), isAgain = selection?.side === "answer" && selection.from === at && selection.to === at;
      isPressed = true;
      reach(reply, one);
      if (event.shiftKey) return selectWords(anchor, at);
      anchor = at;
      return isAgain ? select(null) : selectWords(at, at);
    });
    reply.addEventListener("pointermove", (event) => {
      const one = isPressed && wordAt(event);
      if (!one || !reply.contains(one) || (selection === null && Number(one.dataset.word) === anchor)) return;
      selectWords(anchor, Number(one.dataset.word));
    });
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { isPressed = false; });
    context.addEventListener("click", (event) => {
      const one = event.target.closest("[data-unit]");
      if (!one || String(getSelection())) return;
      reach(context, one);
      chooseUnit(Number(one.dataset.unit), true);
    });
    const chooseUnit = (unit, toggles) => select(toggles && selection?.unit === unit ? null : { side: "context", unit });
    const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    const onKey = (list, choose) => (event) => {
      const all = stops(list), at = all.indexOf(document.activeElement);
      if (event.key === "Escape") select(null);
      else if (event.key === "Enter" || event.key === " ") choose(at, event.shiftKey, true);
      else if (event.key in STEPS) {
        const next = Math.max(0, Math.min(all.length - 1, at + STEPS[event.key]));
        reach(list, all[next]);
        choose(next, event.shiftKey, false);
      } else return;
      event.preventDefault();
    };
    reply.addEventListener("keydown", onKey(reply, (at, extends_, toggles) => {
      if (toggles && selection?.side === "answer" && selection.from === at && selection.to === at) return select(null);
      if (!extends_) anchor = at;
      return selectWords(anchor, at);
    }));
    context.addEventListener("keydown", onKey(context, (at, _, toggles) => chooseUnit(Number(stops(context)[at].dataset.unit), toggles)));

    // the matrix: one path for each color, drawn when it is first opened
    const heatMap = () => {
      const order = state.blocks.flatMap((one) => one.pieces).flat().filter((piece) => typeof piece === "number");
      const rows = order.map((at) => units[at]).filter((unit) => state.scores[unit.at] !== null), width = state.columns.length * CELL, height = rows.length * CELL;
      const full = rows.reduce((most, unit) => Math.max(most, largest(state.scores[unit.at])), 0), decimals = decimalsOf(scale * full), paths = new Map();
      rows.forEach((unit, y) => state.scores[unit.at].forEach((cell, x) => {
        const name = cell === null ? "um-none" : levelClass(full ? levelOf(cell / full, "x") : 0);
        if (name) paths.set(name, `${paths.get(name) ?? ""}M${x * CELL} ${y * CELL}h${CELL}v${CELL}h-${CELL}z`);
      }));
      const cut = (text) => { const line = text.trim() || JSON.stringify(text).slice(1, -1); return [...line].length > 24 ? `${[...line].slice(0, 23).join("")}…` : line; };
      const names = rows.map((unit, y) => shape("text", { x: -6, y: (y + 0.72) * CELL, "text-anchor": "end" }, cut(unit.name)));
      const tokens = state.columns.map(([text], x) => shape("text", { transform: `translate(${(x + 0.75) * CELL} -6) rotate(-60)` }, cut(text)));
      const frame = shape("rect", { class: "um-frame", width, height });
      const cells = [...paths].map(([name, d]) => shape("path", { class: name, d }));
      const map = shape("svg", { class: "um-map", role: "img", "aria-label": `Scores of ${rows.length} units for ${state.columns.length} outputs`, width: LABELS + width + HEAD, height: HEAD + height + 4, viewBox: `${-LABELS} ${-HEAD} ${LABELS + width + HEAD} ${HEAD + height + 4}` }, ...cells, frame, ...names, ...tokens);
      const cell = element("p", { class: "um-cell" }, "Hover over a cell to see its score; click it to select its unit.");
      const place = (event) => {
        const box = frame.getBoundingClientRect(), x = Math.floor((event.clientX - box.left) / (box.width / state.columns.length)), y = Math.floor((event.clientY - box.top) / (box.height / rows.length));
        return { unit: rows[y], column: state.columns[x], x };
      };
      map.addEventListener("pointermove", (event) => {
        const { unit, column, x } = place(event);
        if (!unit || !column) return;
        const score = state.scores[unit.at][x];
        cell.textContent = `${quoted(unit.text)} → ${quoted(column[0])}: ${score === null ? "does not precede it" : signed(score * scale, decimals)}`;
      });
      map.addEventListener("click", (event) => { const { unit } = place(event); if (unit) chooseUnit(unit.at, true); });
      return [cell, element("div", { class: "um-mapbox", tabindex: "0", role: "region", "aria-label": "Matrix" }, map)];
    };
    const matrix = element("details", { class: "um-matrix" }, element("summary", {}, `All scores: ${state.scores.filter((row) => row !== null).length} units × ${state.columns.length} ${state.is_contrast ? "continuations" : "tokens"}`));
    matrix.addEventListener("toggle", () => { if (matrix.open && matrix.children.length === 1) matrix.append(...heatMap()); });

    const heading = (text, small = "") => element(`h${state.level}`, { class: "um-sidehead" }, text, ...(small ? [" ", element("small", {}, small)] : []));
    const sides = element("div", { class: "um-sides" },
      element("div", { class: "um-context" }, heading(state.side), context),
      element("div", { class: "um-reply" }, heading(state.is_contrast ? "Continuations" : "Answer", state.summary), reply));
    const hint = element("p", { class: "um-key um-hint" }, `${words.length < 2 ? "" : `Select ${state.is_contrast ? "a continuation" : state.adds ? "a word of the answer, or drag over a phrase," : "a token of the answer"} to see what supports it. `}Select a ${state.unit} of the context to see what it does to the answer. Arrow keys select, ${state.adds ? "Shift extends, " : ""}Escape clears.`);
    el.replaceChildren(title, said, sides, hint, ...(state.ramp ? [el.querySelector(".um-ramp")?.closest("p")].filter(Boolean) : []), table, matrix);
    for (const list of [context, reply]) { const [first] = stops(list); if (first) first.tabIndex = 0; }
    show();
  };
  return draw;
})();
