for (const view of document.querySelectorAll(".um-answer")) {
  const state = view.querySelector(".um-state");
  if (state) drawAnswer({ state: JSON.parse(state.textContent), el: view.querySelector(".um-drawn") });
}
