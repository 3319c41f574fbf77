// The input form: a text, a pair, a prompt with choices, a chat, or documents with a question; and examples.
import { button, element, freshId, labelled } from "./dom.js";

const KINDS = { pair: "Two texts", choices: "Choices", documents: "Documents", chat: "Chat" };
const TEXT = { text: ["text"] };
const MORE = { choices: "Add a choice", documents: "Add a document", chat: "Add a message" };
const EMPTY = {
  text: () => ({ text: "" }),
  pair: ({ text = "" }) => ({ text, text_pair: "" }),
  choices: ({ text = "" }) => ({ text, choices: ["", ""] }),
  documents: ({ text = "" }) => ({ documents: [{ name: "document 1", text }], question: "" }),
  chat: ({ text = "" }) => ({ messages: [{ role: "user", content: text }] }),
};

export const kindOf = (question) => (question.documents ? "documents" : question.messages ? "chat" : "text_pair" in question ? "pair" : question.choices ? "choices" : "text");

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const createAsk = ({ ask, chooseModel, limits }) => {
  const models = element("select", { onchange: (event) => chooseModel(event.target.value) });
  const kinds = element("select", { onchange: (event) => edit(EMPTY[event.target.value](read())) });
  const fields = element("div", { class: "um-fields" }), examples = element("div", { class: "um-examples", role: "group", "aria-label": "Examples" });
  const go = button("Explain", () => submit(), { class: "um-button um-go" }), more = button("Add", () => edit(extended(read())));
  const modelField = labelled("Model", models), kindField = labelled("Input", kinds);
  const row = element("div", { class: "um-askrow" }, go, more, modelField, kindField);
  const el = element("section", { class: "um-ask", "aria-label": "Text to explain" }, fields, row, examples);
  let read = () => ({ text: "" }), kind = "text";

  const area = (name, value, rows, placeholder = null) => {
    const id = freshId(), one = element("textarea", { id, rows, placeholder, dir: "auto", lang: "", maxlength: limits.text, spellcheck: "false" });
    one.value = value;
    one.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && submit());
    return { el: element("div", { class: "um-field" }, element("label", { for: id }, name), one), value: () => one.value, one };
  };
  const line = (name, value) => {
    const one = element("input", { type: "text", class: "um-input um-name", "aria-label": name, value, maxlength: 100 });
    return { el: one, value: () => one.value };
  };
  const menu = (name, value, options) => {
    const one = element("select", { "aria-label": name }, ...options.map((option) => element("option", { value: option }, option)));
    one.value = value;
    return { el: one, value: () => one.value };
  };
  const BUILD = {
    text({ text }, [name = "text"]) {
      const one = area(capitalized(name), text, 2);
      return [[one.el], () => ({ text: one.value() })];
    },
    pair({ text, text_pair }, [name = "first text", other = "second text"]) {
      const first = area(capitalized(name), text, 2), second = area(capitalized(other), text_pair, 3);
      return [[first.el, second.el], () => ({ text: first.value(), text_pair: second.value() })];
    },
    choices({ text, choices }, [name = "prompt"]) {
      const prompt = area(capitalized(name), text, 2), rows = choices.map((one, at) => area(`Choice ${at + 1}`, one, 1, "Leave empty to remove this choice"));
      return [[prompt.el, ...rows.map((one) => one.el)], () => ({ text: prompt.value(), choices: rows.map((one) => one.value()).filter((one) => one.trim()) })];
    },
    documents({ documents, question }) {
      const rows = documents.map((one, at) => ({ name: line(`Name of document ${at + 1}`, one.name), text: area(`Document ${at + 1}`, one.text, 2) })), last = area("Question", question, 2);
      const drawn = rows.map(({ name, text }) => element("div", { class: "um-named" }, name.el, text.el));
      return [[...drawn, last.el], () => ({ documents: rows.map(({ name, text }) => ({ name: name.value(), text: text.value() })).filter((one) => one.text.trim()), question: last.value() })];
    },
    chat({ messages }) {
      const rows = messages.map((one, at) => ({ role: menu(`Role of message ${at + 1}`, one.role, ["system", "user", "assistant"]), content: area(`Message ${at + 1}`, one.content, 2) }));
      const drawn = rows.map(({ role, content }) => element("div", { class: "um-named" }, role.el, content.el));
      return [drawn, () => ({ messages: rows.map(({ role, content }) => ({ role: role.value(), content: content.value() })).filter((one) => one.content.trim()) })];
    },
  };
  const extended = (question) => (question.choices ? { ...question, choices: [...question.choices, ""] } : question.documents
    ? { ...question, documents: [...question.documents, { name: `document ${question.documents.length + 1}`, text: "" }] }
    : { messages: [...question.messages, { role: "user", content: "" }] });

  let record = null;
  const edit = (question) => {
    kind = kindOf(question);
    const [drawn, reading] = BUILD[kind](question, (record?.inputs ?? TEXT)[kind] ?? []);
    fields.replaceChildren(...drawn);
    read = reading;
    kinds.value = kind;
    more.hidden = !(kind in MORE);
    more.textContent = MORE[kind] ?? "";
  };
  const isEmpty = (question) => !(question.text ?? question.question ?? question.messages.map((one) => one.content).join("")).trim();
  const isMissing = (question) => isEmpty(question) || question.choices?.length < 2 || (kinds.length === 1 && question.text_pair === "");
  const submit = () => {
    const question = read();
    if (isMissing(question)) return [...fields.querySelectorAll("textarea")].find((one) => !one.value.trim()).focus();
    return ask(question);
  };
  const example = ({ title, ...question }) => button(title, () => {
    edit(question);
    ask(question);
  }, { class: "um-button um-example" });

  const showModel = (catalog, chosen) => {
    record = chosen;
    models.replaceChildren(...catalog.models.map((one) => element("option", { value: one.name }, one.name)));
    models.value = chosen.name;
    modelField.hidden = catalog.models.length < 2;
    const known = Object.entries(chosen.inputs);
    kinds.replaceChildren(...known.map(([name, [text]]) => element("option", { value: name }, KINDS[name] ?? capitalized(text))));
    kindField.hidden = known.length < 2;
    go.textContent = chosen.is_generative ? "Generate and explain" : "Explain";
    examples.replaceChildren(element("span", { class: "um-quiet" }, "Examples:"), ...chosen.examples.map(example));
  };
  return { el, edit, showModel, question: () => (isMissing(read()) ? null : read()) };
};
