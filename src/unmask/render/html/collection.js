
(() => {
  const find = (selector) => document.querySelector(selector);
  const controls = find(".um-controls"), filter = find(".um-filter"), order = find(".um-order"), count = find(".um-count");
  const lists = [find(".um-index tbody"), find(".um-articles")].map((list) => [list, [...list.children]]);
  const confidence = (one) => Number(one.dataset.confidence);
  const sorted = (all) => {
    if (order.value === "line") return all;
    const sign = order.value === "most" ? -1 : 1;
    const known = all.filter((one) => "confidence" in one.dataset);
    const others = all.filter((one) => !("confidence" in one.dataset));
    return [...known.sort((a, b) => sign * (confidence(a) - confidence(b))), ...others];
  };
  const arrange = () => {
    for (const [list, all] of lists) {
      for (const one of all) one.hidden = filter.value !== "" && !one.dataset.labels.split(" ").includes(filter.value);
      list.append(...sorted(all));
    }
    count.textContent = `${lists[0][1].filter((one) => !one.hidden).length} shown`;
  };
  controls.addEventListener("change", arrange);
  controls.hidden = false;
  arrange();
})();
