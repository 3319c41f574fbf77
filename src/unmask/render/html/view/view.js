// The view: a text, its prediction, and what the reader does to it. Written to anywidget's contract; see page.js.
//
// `model` has the traits `catalog`, `state`, `explanation` and `connection`, and carries questions as messages.
import { createAsk } from "./ask.js";
import { createCompare } from "./compare.js";
import { createConnection } from "./connection.js";
import { element, write } from "./dom.js";
import { createDownloads } from "./downloads.js";
import { estimatePoint, isAnswer, isExact, isOtherAnswer, knownDrop, strongestScore, unitScores, wholePoint } from "./explanation.js";
import { createMarks } from "./marks.js";
import { createMode } from "./mode.js";
import { largestOf, sum } from "./numbers.js";
import { createPairs } from "./pairs.js";
import { createPrediction } from "./prediction.js";
import { createReply } from "./reply.js";
import { SUPERSEDED, createRequests, problemOf } from "./requests.js";
import { createSentences } from "./sentences.js";
import { createSets } from "./sets.js";
import { createSettings } from "./settings.js";
import { pairedScores, saidOfPairs } from "./similar.js";
import { aimOf, hasSpans, isSame, predictedUnits, targetAt } from "./spans.js";
import { compareBody, editedQuestion, explainBody, initialState, interactionsBody, knownMarks, methodsOf, modelRecord, predictBody, questionFor, renderBody, settingsFor, withSetting, withTarget, withoutLock } from "./state.js";
import { createText } from "./text.js";
import { createToolbar, shortcutOf } from "./toolbar.js";

const LOOKING = "Looking for the words that decide…";
const OTHER_TOKENS = "Read again, this answer has other tokens than those that the model wrote: the numbers of masked words are about the tokens that it reads.";
const HINT = "Which words made the model say it? Explain a text, then click its words.";

const render = ({ model, el }) => {
  const catalog = model.get("catalog"), requests = createRequests(model);
  const hasModel = () => model.get("connection") !== "none";
  let state = initialState(model.get("state"), catalog), explanation = null, point = null, drops = new Map(), edited = null;
  let selected = null, isMasking = true, saved = "", complete = null, isAwaited = false;
  const record = () => modelRecord(catalog, state.settings.model);

  // the state: saved after every change, restored when it changes elsewhere
  const save = (change) => {
    state = { ...state, ...change };
    saved = JSON.stringify(state);
    model.set("state", state);
    model.save_changes();
  };
  const restore = () => {
    const given = model.get("state");
    if (JSON.stringify(given) === saved) return;
    state = initialState(given, catalog);
    ask.showModel(catalog, record());
    ask.edit(state.question);
    explain();
  };

  // explain: one question at a time, the newest wins
  const fail = (error) => {
    if (error === SUPERSEDED) return;
    settled();
    warn(problemOf(error));
  };
  const warn = (text) => {
    write(problem, text);
    problem.hidden = !text;
  };
  const working = ({ share = 0, queued = false } = {}) => {
    busy.value = share;
    busy.hidden = false;
    write(said, queued ? "Waiting for its turn…" : "Asking the model…");
  };
  const explain = () => {
    for (const slot of ["colors", "predict", "compare", "pairs"]) requests.cancel(slot);
    problem.hidden = true;
    working();
    el.setAttribute("aria-busy", "true");
    const asked = explainBody(state, record().is_generative), isTwoStep = record().is_decided && !asked.method;
    let hasColors = false;
    if (isTwoStep) requests.ask("colors", "explain", { ...asked, sets: "none" }).then((found) => { hasColors = true; showExplanation(found, LOOKING); }, () => null);
    const own = requests.ask("explain", "explain", asked, working).then((found) => {
      requests.cancel("colors");
      return hasColors ? showSets(found) : showExplanation(found);
    }, fail).finally(() => complete === own && el.removeAttribute("aria-busy"));
    complete = own;
    return own;
  };
  const explainAnew = (change) => {
    save({ marks: undefined, continuation: null, phrase: null, fixed: [], ...change });
    return explain();
  };

  // drawing
  const showExplanation = (found, more = "") => {
    [explanation, point, drops, edited, selected] = [found, null, new Map(), null, null];
    if (!more) settled();
    const isGenerative = isAnswer(found), count = found.segments.length - (isGenerative && found.segments.at(-1).role === "answer" ? 1 : 0);
    isMasking = mode.draw(found, state.mode, hasModel());
    sentences.draw(found, more);
    if (isGenerative) reply.draw(found, hasModel());
    text.draw(found, found.segments.slice(0, count).map(({ name }, segment) => ({ segment, name, head: isGenerative ? reply.headOf(segment) : null })), (span) => withoutLock(state.fixed, span).length < state.fixed.length);
    sides.classList.toggle("um-sides", isGenerative);
    for (const one of [reply.el, reply.more]) one.hidden = !isGenerative;
    pairsBox.hidden = isGenerative || !hasModel();
    sets.el.hidden = !found.sets && !record()?.is_decided;
    if (isGenerative && state.phrase) reply.restore(state.phrase);
    prediction.draw(found, { target: state.settings.target, isChoosable: hasModel() && !isGenerative && !record().labels });
    sets.draw(found);
    if (record()) settings.show(state.settings, record(), methodsOf(catalog, record()), found);
    compare.clear();
    pairs.clear();
    body.classList.remove("um-waiting");
    marks.begin(knownMarks(state.marks, found.units.length));
  };
  // The deciding words take longer to compute than the colors; they are added later without moving anything.
  const showSets = (found) => {
    explanation = found;
    settled();
    sentences.draw(found);
    sets.draw(found);
    show();
  };
  const settled = () => {
    busy.hidden = true;
    write(said, "");
  };
  const outlined = () => explanation.sets?.necessary?.units ?? [];

  const paint = () => {
    if (!isAnswer(explanation)) return paintText();
    const scores = reply.scores(), changes = tokenChanges();
    text.paint(scores, largestOf(scores));
    reply.paint(selected, changes);
    return mode.say(reply.said(selected, changes));
  };
  const paintText = () => {
    const isPaired = selected !== null && explanation.pair_scores, scores = isPaired ? pairedScores(explanation, selected) : unitScores(explanation);
    text.paint(scores, isPaired ? largestOf(scores) : strongestScore(explanation));
    if (hasSpans(explanation)) mode.say(aimOf(explanation, state.settings.target ?? "predicted", isMasking));
    else if (explanation.pair_scores) mode.say(saidOfPairs(explanation, selected, isMasking));
  };
  // what masking changed at each token of the answer
  const tokenChanges = () => {
    if (!point?.token_probabilities || point.isEstimate || !point.change) return null;
    return explanation.outputs.tokens.map(({ probability }, at) => Math.log(probability / Math.max(point.token_probabilities[at], 1e-300)));
  };
  const show = () => {
    if (!explanation || !point) return;
    const now = marks.current();
    paint();
    text.mark({ marks: now, outlined: outlined(), predicted: predictedUnits(explanation, point, point.replaced), selected });
    prediction.show(point, now, { singles: singleSum(now.masked) });
    sets.show(now, !Object.keys(now.replaced).length);
    toolbar.show({ explanation, chosen: text.chosen(), marks: now, history: marks, hasModel: hasModel(), isMasking });
  };

  // predict: an estimate from the known scores at once, then the model's own number
  const singleSum = (masked) => {
    const known = masked.map((unit) => drops.get(unit) ?? knownDrop(explanation, unit));
    return known.includes(null) ? null : sum(known);
  };
  const predict = (now) => {
    const isPlain = !now.masked.length && !Object.keys(now.replaced).length;
    requests.cancel("predict");
    point = isPlain ? wholePoint(explanation) : { ...estimatePoint(explanation, now.masked, point), isEstimate: hasModel() || !isExact(explanation, now.masked), isPending: hasModel() };
    [edited, isAwaited] = [null, false];
    show();
    if (isPlain || !hasModel()) return warn("");
    const unknown = Object.keys(now.replaced).length ? [] : now.masked.filter((unit) => now.masked.length > 1 && !drops.has(unit) && knownDrop(explanation, unit) === null);
    const asked = predictBody(state, explanation, [now.masked, ...unknown.slice(0, 500).map((unit) => [unit])], now.replaced);
    return requests.ask("predict", "predict", asked).then(({ results: [joint, ...singles], texts, replaced_units: replaced, whole }) => {
      singles.forEach(({ change }, at) => drops.set(unknown[at], -change));
      [point, edited] = [{ ...joint, replaced, isEstimate: false }, texts];
      warn(isAnswer(explanation) && !texts && isOtherAnswer(explanation, whole) ? OTHER_TOKENS : "");
      show();
      if (isAwaited) explainEdited();
    }, fail);
  };
  const marks = createMarks((now) => {
    if (!explanation) return;
    save({ marks: now, ...(isAnswer(explanation) ? { continuation: explanation.continuation } : {}) });
    predict(now);
  });

  // what the reader does
  const press = (units) => {
    if (isMasking) return marks.toggle(units);
    if (!hasSpans(explanation)) return chooseUnit(selected === units[0] && units.length === 1 ? null : units[0]);
    const target = targetAt(explanation, units);
    return target && chooseTarget(target);
  };
  const setLocks = (fixed) => explainAnew({ fixed, continuation: explanation.continuation ?? null });
  const lockPart = (segment) => {
    const whole = { start: 0, end: Array.from(explanation.segments[segment].text).length, segment }, others = withoutLock(state.fixed, whole);
    return setLocks(explanation.units.some((unit) => unit.segment === segment) ? [...others, [whole.start, whole.end, segment]] : others);
  };
  const chooseUnit = (unit) => {
    selected = unit;
    reply.clear();
    save({ phrase: null });
    show();
  };
  // what is explained: everything that is predicted, an entity, or other words; chosen again: everything
  const chooseTarget = (target) => {
    const { target: before = "predicted" } = state.settings, next = isSame(target, before) ? "predicted" : target;
    return isSame(next, before) ? null : explainAnew({ settings: withTarget(state.settings, next, explanation), marks: state.marks, fixed: state.fixed });
  };
  // locks are spans of the text; marks are of units, which only another unit changes
  const changeSetting = (name, value) => explainAnew({ settings: withSetting(state.settings, name, value, explanation), continuation: isAnswer(explanation) && name !== "target" ? explanation.continuation : null, fixed: state.fixed, marks: name === "unit" ? undefined : state.marks });
  const chosen = () => text.chosen();
  const COMMANDS = {
    only: () => chosen().length && marks.maskAllBut(chosen(), explanation.units.length),
    lock: () => chosen().length && marks.toggleLock(chosen()),
    replace: () => chosen().length === 1 && hasModel() && toolbar.open(marks.current().replaced[chosen()[0]] ?? explanation.units[chosen()[0]].text),
    close: () => { toolbar.close(); text.focusUnit(chosen()[0]); },
    undo: () => marks.undo(),
    redo: () => marks.redo(),
    reset: () => marks.clear(),
    clear: () => chooseUnit(null),
    again: () => explainEdited(),
    unlock: (at) => setLocks(withoutLock(state.fixed, explanation.fixed[at])),
  };
  const command = (name, value) => explanation && COMMANDS[name](value);
  const replace = (word) => {
    const [unit] = chosen(), original = explanation.units[unit].text;
    marks.replace(unit, word.trim() && word !== original ? word : null);
    COMMANDS.close();
  };
  const explainEdited = () => {
    const { locked, replaced } = marks.current();
    isAwaited = Object.keys(replaced).length > 0 && !edited;
    if (isAwaited) return null; // the edited text comes with the prediction
    const question = edited ? editedQuestion(state.question, edited) : state.question;
    const spans = locked.map((unit) => explanation.units[unit]).map(({ start, end, segment }) => [start, end, segment]);
    ask.edit(question);
    return explainAnew(edited ? { question, settings: settingsFor(question, state.settings) } : { fixed: [...state.fixed, ...spans], continuation: explanation.continuation ?? null });
  };
  const chooseModel = (name) => {
    const before = record();
    save({ settings: { model: name }, mode: undefined });
    ask.showModel(catalog, record());
    const question = questionFor(record(), before, ask.question());
    ask.edit(question);
    compare.offer(methodsOf(catalog, record()), record().is_generative);
    return explainAnew({ question });
  };
  const setMode = (name) => {
    isMasking = name === "mask";
    selected = null;
    save({ mode: name });
    show();
  };

  // the parts
  const sentences = createSentences(HINT), said = element("p", { class: "um-more um-said", role: "status" });
  const busy = element("progress", { class: "um-busy", max: 1, hidden: true, "aria-label": "Asking the model" });
  const problem = element("p", { class: "um-warning", role: "alert", hidden: true }), connection = createConnection({ model, view: el });
  const ask = createAsk({ ask: (question) => explainAnew({ question, settings: isSame(question, state.question) ? state.settings : settingsFor(question, state.settings) }), chooseModel, limits: catalog.limits });
  const text = createText({ press, select: () => explanation && show(), command, label: "Words: press one to mask it" });
  const reply = createReply({ select: (phrase) => { selected = null; save({ phrase }); show(); }, chooseUnit: (unit) => chooseUnit(selected === unit ? null : unit), lockPart });
  const prediction = createPrediction({ choose: chooseTarget }), sets = createSets({ step: (masked) => marks.mask(masked) }), toolbar = createToolbar({ command, replace });
  const settings = createSettings({ change: changeSetting });
  const compare = createCompare({ compare: (methods) => requests.ask("compare", "compare", compareBody(state, explanation, methods), compare.progress).then(compare.show, (error) => error !== SUPERSEDED && compare.clear(problemOf(error))) });
  const pairs = createPairs({ mask: (units) => marks.mask(units), find: () => requests.ask("pairs", "interactions", interactionsBody(state, explanation), pairs.progress).then(pairs.show, (error) => error !== SUPERSEDED && pairs.clear(problemOf(error))) });
  const downloads = createDownloads({
    record: async () => { await complete; const { captions: _, ...others } = explanation; return others; },
    render: (format) => requests.ask("render", "render", renderBody(state, explanation, format, matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")),
    link: model.get("has_link") ? () => location.href : null,
  });
  const mode = createMode({ change: setMode });
  const details = (title, ...children) => element("details", {}, element("summary", {}, title), ...children);
  const pairsBox = details("Pairs of words", pairs.el), compareBox = details("Compare methods", compare.el);
  const sides = element("div", {}, element("div", { class: "um-context" }, text.el), reply.el);
  const body = element("div", { class: "um-body um-waiting" }, prediction.el, mode.el, sides, toolbar.el, sets.el, reply.more, settings.el, sentences.notes, compareBox, pairsBox, downloads.el, sentences.meaning);

  const shortcuts = (event) => {
    const name = shortcutOf(event);
    if (!name) return;
    command(name);
    event.preventDefault();
  };
  el.addEventListener("keydown", shortcuts);
  model.on("change:state", restore);

  el.classList.add("um", "um-live");
  for (const one of hasModel() ? [] : [ask.el, settings.el, compareBox, pairsBox]) one.hidden = true;
  el.replaceChildren(element("div", { class: "um-hero" }, sentences.el), connection.el, ask.el, busy, said, problem, body);
  if (record()) ask.showModel(catalog, record());
  ask.edit(state.question);
  if (record()) compare.offer(methodsOf(catalog, record()), record().is_generative);
  connection.show();
  const found = model.get("explanation");
  if (found) showExplanation(found);
  else explain();
  return () => {
    requests.stop();
    text.stop();
    reply.stop();
    connection.stop();
    model.off("change:state", restore);
    el.removeEventListener("keydown", shortcuts);
  };
};

export default { render };
