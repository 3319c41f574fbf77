// The index of many texts: filters and sorts its rows and the texts below.

export const connect = () => {
  const find = (selector) => document.querySelector(selector);
  const controls = find(".um-controls"), filter = find(".um-filter"), order = find(".um-order"), count = find(".um-count");
  const verdict = find(".um-verdict"); // only if there are gold labels
  const lists = [find(".um-index tbody"), find(".um-articles")].map((list) => [list, [...list.children]]);
  const confidence = (one) => Number(one.dataset.confidence);
  const sorted = (all) => {
    if (order.value === "line") return all;
    if (order.value === "wrong") {
      const isWrong = (one) => one.dataset.verdict === "wrong";
      const first = all.filter(isWrong).sort((a, b) => confidence(b) - confidence(a));
      return [...first, ...all.filter((one) => !isWrong(one))];
    }
    const sign = order.value === "most" ? -1 : 1;
    const known = all.filter((one) => "confidence" in one.dataset);
    const others = all.filter((one) => !("confidence" in one.dataset));
    return [...known.sort((a, b) => sign * (confidence(a) - confidence(b))), ...others];
  };
  const isShown = (one) =>
    (filter.value === "" || one.dataset.labels.split(" ").includes(filter.value)) &&
    (!verdict?.value || one.dataset.verdict === verdict.value);
  const arrange = () => {
    for (const [list, all] of lists) {
      for (const one of all) one.hidden = !isShown(one);
      list.append(...sorted(all));
    }
    count.textContent = `${lists[0][1].filter((one) => !one.hidden).length} shown`;
  };
  controls.addEventListener("change", arrange);
  controls.hidden = false;
  arrange();
};
