// SPDX-License-Identifier: Apache-2.0
// Points at what the page already holds: chains, operands, C lines. Text is only set as text.
"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const tip = byId("tip");
  const SVG = "http://www.w3.org/2000/svg";
  const ROW = 21;
  let column = 130;

  // Rows of a chart, and what each takes from which.
  const rowsOf = new WeakMap();
  function rows(chart) {
    if (!rowsOf.has(chart)) rowsOf.set(chart, [...chart.querySelectorAll(".o")]);
    return rowsOf.get(chart);
  }
  const hiddenWire = (row) =>
    root.classList.contains("no-wires") && row.classList.contains("wire");
  const prefix = (row) => row.id.slice(0, row.id.indexOf("o") + 1);
  const chartOf = (row) => row.closest(".chart");

  // Operands in sight: hidden wiring is looked through.
  function operands(row, found = new Set()) {
    for (const number of (row.dataset.a || "").split(" ")) {
      const other = number && byId(prefix(row) + number);
      if (!other || found.has(other)) continue;
      if (hiddenWire(other)) operands(other, found);
      else found.add(other);
    }
    return found;
  }

  const number = (row, name) => Number(row.style.getPropertyValue(name));
  const starts = (row) => number(row, "--x");
  const ends = (row) => number(row, "--x") + number(row, "--w");

  // Lines from an operand's end to an operation's start.
  function overlay(chart) {
    let svg = chart.querySelector(":scope > svg");
    if (!svg) {
      svg = chart.appendChild(document.createElementNS(SVG, "svg"));
      svg.append(...["critical", "feed"].map((name) => {
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("class", name);
        return path;
      }));
    }
    return svg;
  }
  function heights(chart) {
    const head = chart.querySelector(".states").offsetHeight;
    const at = new Map();
    for (const row of rows(chart)) if (!hiddenWire(row)) at.set(row, head + at.size * ROW + ROW / 2);
    return at;
  }
  function pathOf(chart, pairs, at) {
    const label = chart.querySelector(".states span").offsetWidth;
    const x = (value) => (label + value * column).toFixed(1);
    return pairs
      .filter(([from, to]) => at.has(from) && at.has(to))
      .map(([from, to]) => `M${x(ends(from))},${at.get(from)}V${at.get(to)}H${x(starts(to))}`)
      .join("");
  }
  function chains(chart) {
    const at = heights(chart);
    const pairs = [];
    for (const row of at.keys()) {
      if (!row.classList.contains("critical")) continue;
      for (const other of operands(row)) {
        const meets = Math.abs(ends(other) - starts(row)) < 0.002;
        if (meets && other.classList.contains("critical")) pairs.push([other, row]);
      }
    }
    overlay(chart).children[0].setAttribute("d", pathOf(chart, pairs, at));
  }
  const openCharts = () => document.querySelectorAll("details[open] > .chart");
  const redraw = () => openCharts().forEach(chains);

  // The operation at hand: its box, its operands and users.
  let current = null;
  let marked = [];
  function mark(row, name) {
    row.classList.add(name);
    marked.push([row, name]);
  }
  function leave() {
    for (const [row, name] of marked) row.classList.remove(name);
    if (current) overlay(chartOf(current)).children[1].setAttribute("d", "");
    marked = [];
    current = null;
    tip.hidden = true;
  }
  function enter(row, x, y) {
    if (row !== current) {
      leave();
      current = row;
      const chart = chartOf(row);
      const fed = [...operands(row)];
      mark(row, "at-hand");
      fed.forEach((other) => mark(other, "feeds"));
      for (const other of rows(chart)) {
        if (other !== row && !hiddenWire(other) && operands(other).has(row)) mark(other, "takes");
      }
      const pairs = fed.map((other) => [other, row]);
      overlay(chart).children[1].setAttribute("d", pathOf(chart, pairs, heights(chart)));
      describe(row);
    }
    place(x, y);
  }
  function add(kind, text, name = "") {
    const part = tip.appendChild(document.createElement(kind));
    part.textContent = text;
    part.className = name;
  }
  function describe(row) {
    const [kind, width, start, end, states] = row.dataset.t.split(" ");
    const chart = chartOf(row);
    const state = Math.floor(starts(row) + 1e-6);
    const title = chart.querySelectorAll(".states span")[state + 1].title.split(":")[0];
    tip.replaceChildren();
    add("code", row.firstChild.textContent);
    let text = `${kind}${width > 0 ? `, ${width} bit${width > 1 ? "s" : ""}` : ""}; state ${title}: `;
    if (row.classList.contains("waits")) text += `from ${start} ns until the unit is done`;
    else if (states > 1) text += `from ${start} ns, answer in the next at ${end} ns`;
    else text += `${start} to ${end} ns, takes ${(end - start).toFixed(2)} ns`;
    add("div", text);
    if (row.dataset.v) add("div", `C variable ${row.dataset.v}`);
    if (row.classList.contains("longest")) add("div", "on the longest chain of the function", "mark");
    else if (row.classList.contains("critical")) add("div", "on the longest chain of its state", "mark");
    const line = row.dataset.l && byId(`s${row.dataset.l}`);
    if (line) {
      const file = line.closest("section").firstElementChild.textContent;
      add("code", `${file}:${row.dataset.l.split("-")[1]}  ${line.textContent.trim()}`, "line");
    }
    tip.hidden = false;
  }
  function place(x, y) {
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    const below = y + 18 + box.height < innerHeight;
    tip.style.top = `${Math.max(4, below ? y + 18 : y - box.height - 12)}px`;
  }

  // Choosing: an operation shows its C line, a C line its operations.
  function choose(chosen, line) {
    document.querySelectorAll(".chosen").forEach((row) => row.classList.remove("chosen"));
    document.querySelectorAll("li.here").forEach((item) => item.classList.remove("here"));
    chosen.forEach((row) => row.classList.add("chosen"));
    if (line) line.classList.add("here");
  }
  function reveal(row) {
    const details = row.closest("details");
    details.open = true;
    const chart = chartOf(row);
    if (!heights(chart).has(row)) byId("wires").click();
    const top = heights(chart).get(row) - ROW / 2;
    if (top < chart.scrollTop + 40 || top > chart.scrollTop + chart.clientHeight - 2 * ROW) {
      chart.scrollTop = top - chart.clientHeight / 2;
    }
    sideways(chart, starts(row));
  }
  function sideways(chart, position) {
    const left = position * column;
    const room = chart.clientWidth - chart.querySelector(".states span").offsetWidth;
    if (left < chart.scrollLeft || left > chart.scrollLeft + room - 40) {
      chart.scrollLeft = Math.max(0, left - room / 3);
    }
  }
  function choseRow(row) {
    const line = row.dataset.l && byId(`s${row.dataset.l}`);
    choose([row], line);
    if (line) line.scrollIntoView({ block: "center", inline: "nearest" });
    sideways(chartOf(row), starts(row));
  }

  document.addEventListener("mousemove", (event) => {
    const row = event.target.closest && event.target.closest(".o");
    if (row) enter(row, event.clientX, event.clientY);
    else if (current) leave();
  });
  document.addEventListener("scroll", () => current && leave(), true);
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".o");
    if (row) return choseRow(row);
    const item = event.target.closest("li.made");
    if (item) {
      const found = [...document.querySelectorAll(`.o[data-l="${item.id.slice(1)}"]`)];
      choose(found, item);
      const seen = found.find((other) => !hiddenWire(other)) || found[0];
      if (!seen) return;
      reveal(seen);
      chartOf(seen).scrollIntoView({ block: "nearest" });
      return;
    }
    const link = event.target.closest("a[href^='#']");
    const target = link && byId(link.getAttribute("href").slice(1));
    if (target && target.tagName === "DETAILS") {
      target.open = true;
      const chart = target.querySelector(".chart");
      if (chart && link.dataset.c) sideways(chart, Number(link.dataset.c));
      const first = chart && link.dataset.c && rows(chart).find(
        (other) => !hiddenWire(other) && ends(other) >= Number(link.dataset.c),
      );
      if (first) reveal(first);
    }
  });
  document.addEventListener("keydown", (event) => {
    const chart = event.target.closest && event.target.closest(".chart");
    if (!chart || event.target !== chart) return;
    const seen = rows(chart).filter((row) => !hiddenWire(row));
    const here = seen.indexOf(current);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const row = seen[Math.max(0, Math.min(seen.length - 1, here + step))];
      reveal(row);
      requestAnimationFrame(() => {
        const box = row.firstChild.getBoundingClientRect();
        enter(row, box.left + 40, box.bottom - 10);
      });
    } else if (event.key === "Enter" && current) choseRow(current);
    else if (event.key === "Escape") leave();
  });

  // Tools.
  const wires = byId("wires");
  function showWires() {
    root.classList.toggle("no-wires", !wires.checked);
    root.classList.toggle("wires", wires.checked);
    redraw();
  }
  wires.addEventListener("change", showWires);
  byId("zoom").addEventListener("input", (event) => {
    column = Number(event.target.value);
    root.style.setProperty("--col", `${column}px`);
    redraw();
  });
  const all = (open) => document.querySelectorAll("details.block").forEach((item) => {
    item.open = open;
  });
  byId("unfold").addEventListener("click", () => all(true));
  byId("fold").addEventListener("click", () => all(false));
  document.querySelectorAll("details.block").forEach((item) => {
    item.addEventListener("toggle", () => {
      const chart = item.querySelector(".chart");
      if (item.open && chart) chains(chart);
    });
  });
  showWires();
})();
