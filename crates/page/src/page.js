"use strict";
// Sorts a table by the column of a button: numbers as numbers, other cells by their text. Twice turns it round.
for (const button of document.querySelectorAll("[data-sort-by]")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const column = [...head.parentNode.children].indexOf(head);
    const key = (row) => { const cell = row.cells[column]; return cell.dataset.sort ?? cell.textContent.trim(); };
    const rows = [...body.rows].map((row) => [key(row), row]);
    const numbers = rows.every(([key]) => key === "" || key === "–" || !Number.isNaN(Number(key)));
    const value = (key) => (numbers ? (key === "–" || key === "" ? -1 : Number(key)) : key.toLowerCase());
    const first = numbers ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? (numbers ? "ascending" : "descending") : first;
    const sign = order === "ascending" ? 1 : -1;
    rows.sort(([a], [b]) => { const [x, y] = [value(a), value(b)]; return x < y ? -sign : x > y ? sign : 0; });
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    body.append(...rows.map(([, row]) => row));
  });
}
// Leaves the rows of a table that have the words of a field.
for (const field of document.querySelectorAll("[data-filter]")) {
  const body = document.getElementById(field.dataset.filter).tBodies[0];
  const count = document.querySelector(`[data-count="${field.dataset.filter}"]`);
  const texts = [...body.rows].map((row) => [row, row.textContent.toLowerCase()]);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of texts) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${shown} of ${texts.length}` : "";
  });
}
// Sources are inert until they are opened.
const open = (details) => {
  const template = details.querySelector(":scope > template");
  if (template) template.replaceWith(template.content);
};
for (const details of document.querySelectorAll("details.source")) details.addEventListener("toggle", () => open(details));
addEventListener("beforeprint", () => document.querySelectorAll("details.source[open]").forEach(open));
// A link to something that is folded away opens it.
const reveal = () => {
  // What a search has hidden is not seen.
  for (const field of document.querySelectorAll("[data-filter]")) if (field.value) { field.value = ""; field.dispatchEvent(new Event("input")); }
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  const own = target.querySelector(":scope > th > details");
  if (own) own.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
// Heat maps: a pixel for each cell, or several where there are few.
for (const figure of document.querySelectorAll("figure.matrix")) {
  const canvas = figure.querySelector("canvas"), said = figure.querySelector("output");
  const { rows, columns, cells } = JSON.parse(figure.querySelector("script").textContent);
  const has = (row, column) => (parseInt(cells[row][column >> 2], 16) >> (3 - (column & 3))) & 1;
  const scale = [Math.max(1, Math.floor(1200 / columns.length)), rows.length > 100 ? 3 : rows.length > 30 ? 8 : 14];
  canvas.width = columns.length * scale[0];
  canvas.height = rows.length * scale[1];
  canvas.style.height = `${canvas.height}px`;
  const pen = canvas.getContext("2d");
  const draw = () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = getComputedStyle(canvas).color;
    for (let row = 0; row < rows.length; row++)
      for (let column = 0; column < columns.length; column++)
        if (has(row, column)) pen.fillRect(column * scale[0], row * scale[1], scale[0], scale[1] - (scale[1] > 3 ? 1 : 0));
  };
  draw();
  said.textContent = "Point at a cell, or walk with the arrow keys.";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  const at = [0, 0];
  const tell = () => { said.textContent = `${rows[at[0]]} ${has(...at) ? "catches" : "does not catch"} M${columns[at[1]]}`; };
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    at[0] = Math.min(rows.length - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows.length)));
    at[1] = Math.min(columns.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * columns.length)));
    tell();
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    at[0] = Math.min(rows.length - 1, Math.max(0, at[0] + step[0]));
    at[1] = Math.min(columns.length - 1, Math.max(0, at[1] + step[1]));
    tell();
  });
}
