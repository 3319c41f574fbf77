// Words of other heads, on a page without a model: select an entity, or a word of one of two similar texts.
const LEVEL = /^um-[fa]\d$/;
const onSelect = (unit, act) => {
  unit.setAttribute("role", "button");
  unit.classList.add("um-linked");
  unit.addEventListener("click", act);
  unit.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
};

// A tagged text: select a word of an entity to see what made it one, again to see all of them.
const tagged = (form) => {
  for (const unit of form.querySelectorAll(".um-view .um-u[data-entity]")) {
    const own = form.querySelector(`.um-o${unit.dataset.entity}`), all = form.querySelector(".um-o0");
    if (own === null) continue;
    onSelect(unit, () => {
      const chosen = own.checked ? all : own;
      chosen.click();
      const shown = [...form.querySelectorAll(`.um-u[data-entity="${unit.dataset.entity}"]`)];
      shown.find((one) => one.checkVisibility())?.focus();
    });
  }
};

// Two similar texts: select a word of one to color the words of the other by what both add beyond each alone.
const similar = (view) => {
  const matrix = view.querySelector(".um-matrix"), texts = [...view.querySelectorAll(".um-beside .um-text")];
  if (matrix === null || texts.length !== 2) return;
  const cells = [...matrix.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const sides = texts.map((text) => [...text.querySelectorAll(".um-u")]), units = sides.flat();
  const before = new Map(units.map((unit) => [unit, { ...unit.dataset, name: unit.getAttribute("aria-label"), level: [...unit.classList].find((one) => LEVEL.test(one)) }]));
  const said = document.createElement("p"), hint = "Select a word to color the words of the other text by what both add beyond each alone.";
  said.className = "um-now";
  said.setAttribute("aria-live", "polite");
  let chosen = null;
  const paint = (unit, level, numbers, name) => {
    unit.classList.remove(...[...unit.classList].filter((one) => LEVEL.test(one)));
    if (level) unit.classList.add(level);
    Object.assign(unit.dataset, numbers);
    unit.setAttribute("aria-label", name);
  };
  const show = (unit) => {
    chosen = unit;
    for (const one of units) {
      const { s, n, name, level } = before.get(one);
      paint(one, level, { s, n }, name);
      one.setAttribute("aria-pressed", String(one === unit));
    }
    for (const cell of cells.flat()) cell.classList.remove("um-linked");
    said.textContent = hint;
    if (unit === null) return;
    const side = sides[0].includes(unit) ? 0 : 1, at = sides[side].indexOf(unit);
    const own = side === 0 ? cells[at] : cells.map((row) => row[at]);
    for (const one of sides[side]) paint(one, null, {}, before.get(one).name);
    sides[1 - side].forEach((one, other) => {
      const number = own[other].textContent.trim();
      paint(one, [...own[other].classList].find((name) => LEVEL.test(name)), { s: number, n: number }, `${one.textContent} ${number} with ${unit.textContent}`);
      own[other].classList.add("um-linked");
    });
    const largest = sides[1 - side].map((one) => [one.textContent, Number(one.dataset.s.replace("−", "-")), one.dataset.s]).sort((one, other) => Math.abs(other[1]) - Math.abs(one[1])).slice(0, 3);
    said.textContent = `With "${unit.textContent}": ${largest.map(([text, , number]) => `"${text}" ${number}`).join(", ")}. Select it again, or press Escape, for the scores of all words.`;
  };
  for (const unit of units) onSelect(unit, () => show(unit === chosen ? null : unit));
  view.addEventListener("keydown", (event) => { if (event.key === "Escape") show(null) });
  view.querySelector(".um-beside").after(said);
  show(null);
};

export const connect = () => {
  document.querySelectorAll("form.um-switched").forEach(tagged);
  document.querySelectorAll(".um-view").forEach(similar);
};
