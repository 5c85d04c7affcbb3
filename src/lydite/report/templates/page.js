// SPDX-License-Identifier: Apache-2.0
// Sorts tables by the column whose head is pressed: up, down, as they were. Nothing else.
"use strict";
(() => {
  const valueOf = (row, place) => {
    const cell = row.cells[place];
    return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
  };
  const compare = (one, other, isNumber) => {
    // What is not there comes last, whichever way.
    if (isNumber) return Number(one) - Number(other) || 0;
    return one < other ? -1 : one > other ? 1 : 0;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const first = [...body.rows];
    const heads = [...table.tHead.rows[0].cells].filter((head) => head.tagName === "TH");
    if (first.length < 2) continue;
    for (const head of heads) {
      const place = head.cellIndex;
      const isNumber = head.classList.contains("n");
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const next = { ascending: "descending", descending: "" }[was] ?? "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        if (next) head.setAttribute("aria-sort", next);
        const rows = [...first];
        if (next) {
          const way = next === "ascending" ? 1 : -1;
          rows.sort((a, b) => {
            const one = valueOf(a, place);
            const other = valueOf(b, place);
            if (one === "" || other === "") return (one === "") - (other === "");
            return way * compare(one, other, isNumber);
          });
        }
        body.append(...rows);
      });
    }
  }
})();
