// Says that the server does not answer, until it is back.
import { element, write } from "./dom.js";

const LOST = "The server does not answer. This page waits for it and goes on when it is back.";

export const createConnection = ({ model, view }) => {
  const el = element("p", { class: "um-warning um-lost", role: "alert", hidden: true });
  const show = () => {
    const isLost = model.get("connection") === "lost";
    write(el, isLost ? LOST : "");
    el.hidden = !isLost;
    view.classList.toggle("um-offline", isLost);
  };
  model.on("change:connection", show);
  return { el, show, stop: () => model.off("change:connection", show) };
};
