(() => {
  const connect = (sets) => {
    const home = sets.closest(".um-row, .um-view"), now = sets.querySelector(".um-now"), hint = now.textContent;
    const units = [...home.querySelectorAll(".um-text .um-u[data-unit]")], buttons = [];
    const show = (pressed, isStruck, text) => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button === pressed));
      for (const unit of units) unit.classList.toggle("um-struck", isStruck(unit.dataset.unit));
      now.textContent = text;
    };
    for (const set of sets.querySelectorAll(".um-set")) {
      const steps = [...set.querySelectorAll("li")], isNecessary = set.dataset.kind === "necessary";
      steps.forEach((step, at) => {
        const listed = new Set(steps.slice(1, at + 1).map((one) => one.dataset.unit)), button = document.createElement("button");
        button.type = "button";
        button.className = "um-step";
        button.append(...step.firstElementChild.childNodes);
        button.addEventListener("click", () => {
          if (button.getAttribute("aria-pressed") === "true") show(null, () => false, hint);
          else show(button, (unit) => listed.has(unit) === isNecessary, step.dataset.sentence);
        });
        step.replaceChildren(button);
        buttons.push(button);
      });
    }
    show(null, () => false, hint);
    now.hidden = false;
  };
  document.querySelectorAll(".um-sets").forEach(connect);
})();
