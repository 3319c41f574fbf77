// The explanation as a file, and the view as a link.
import { button, element } from "./dom.js";
import { problemOf } from "./requests.js";

const TYPES = { html: "text/html", svg: "image/svg+xml", png: "image/png", json: "application/json" };

export const createDownloads = ({ render, record, link }) => {
  const said = element("span", { class: "um-more", role: "status" });
  const fetchFile = async (format) => {
    said.textContent = `Drawing ${format.toUpperCase()}…`;
    try {
      save(format, format === "json" ? JSON.stringify(await record(), null, 1) : await render(format));
      said.textContent = "";
    } catch (error) {
      said.textContent = problemOf(error);
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link());
      said.textContent = "Link copied. It holds the text itself.";
    } catch {
      said.textContent = "The address of this page is the link: copy it.";
    }
  };
  const files = Object.keys(TYPES).map((format) => button(format.toUpperCase(), () => fetchFile(format), { "aria-label": `Download ${format.toUpperCase()}` }));
  const el = element("div", { class: "um-downloads", role: "group", "aria-label": "Download" }, element("span", { class: "um-quiet" }, "Download"), ...files, link ? button("Copy link", copy) : null, said);
  return { el };
};

const save = (format, content) => {
  const address = URL.createObjectURL(new Blob([content], { type: TYPES[format] }));
  const link = element("a", { href: address, download: `explanation.${format}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
