"use strict";
// The parts of a table that are sorted and found: rows, or bodies of several rows of which the first has the figures.
const parts = (table) => (table.hasAttribute("data-groups") ? [...table.tBodies] : [...table.tBodies[0].rows]);
const figures = (part) => part.rows?.[0] ?? part;
// Sorts a table by the column of a button: numbers as numbers, other cells by their text. Twice turns it round.
for (const button of document.querySelectorAll("[data-sort-by]")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table");
    const column = [...head.parentNode.children].indexOf(head);
    const key = (part) => { const cell = figures(part).cells[column]; return cell.dataset.sort ?? cell.textContent.trim(); };
    const rows = parts(table).map((part) => [key(part), part]);
    const numbers = rows.every(([key]) => key === "" || key === "–" || !Number.isNaN(Number(key)));
    const value = (key) => (numbers ? (key === "–" || key === "" ? -1 : Number(key)) : key.toLowerCase());
    const first = numbers ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? (numbers ? "ascending" : "descending") : first;
    const sign = order === "ascending" ? 1 : -1;
    rows.sort(([a], [b]) => { const [x, y] = [value(a), value(b)]; return x < y ? -sign : x > y ? sign : 0; });
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    const to = rows[0]?.[1].parentNode;
    to?.append(...rows.map(([, part]) => part));
  });
}
// Leaves the parts of a table that have the words of a field: in their figures, or in the line below them.
const fields = [...document.querySelectorAll("[data-filter]")];
const find = new Map();
for (const field of fields) {
  const count = document.querySelector(`[data-count="${field.dataset.filter}"]`);
  const line = (part) => [part.dataset.words, figures(part).textContent, ...[...part.querySelectorAll(".more > td > pre, .more > td > details > summary")].map((one) => one.textContent)].join(" ");
  const texts = parts(document.getElementById(field.dataset.filter)).map((part) => [part, line(part).toLowerCase()]);
  const leave = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [part, text] of texts) {
      part.hidden = !words.every((word) => text.includes(word));
      shown += part.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${shown} of ${texts.length}` : "";
  };
  find.set(field, leave);
  // What was looked for is a link that can be sent.
  field.addEventListener("input", () => {
    // One search at a time: the address has one.
    for (const other of fields) if (other !== field && other.value) { other.value = ""; find.get(other)(); }
    leave(); history.replaceState(null, "", field.value ? `#find/${field.dataset.filter}/${encodeURIComponent(field.value)}` : "#");
  });
}
// What is long is inert until it is opened.
const open = (details) => {
  const inert = details.querySelector(':scope > script[type="text/html"]');
  if (inert) inert.outerHTML = inert.textContent;
};
addEventListener("toggle", (event) => open(event.target), true);
addEventListener("beforeprint", () => document.querySelectorAll("details[open]").forEach(open));
// A link to something that is folded away opens it; one with words leaves the parts of a table that have them.
const reveal = () => {
  const [kind, table, words] = location.hash.slice(1).split("/");
  for (const field of fields) {
    // What a search has hidden is not seen.
    const value = kind === "find" && field.dataset.filter === table ? decodeURIComponent(words ?? "") : "";
    if (field.value !== value) { field.value = value; find.get(field)(); }
  }
  const target = document.getElementById(kind === "find" ? table : decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  const own = target.tagName === "TBODY" && target.querySelector("details");
  if (own) own.open = true;
  (kind === "find" ? target.closest("section") : target).scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
// Heat maps: a pixel for each cell, or several where there are few.
for (const figure of document.querySelectorAll("figure.matrix")) {
  const canvas = figure.querySelector("canvas"), said = figure.querySelector("output"), named = figure.querySelector(".rows") !== null;
  const { rows, columns, verbs, cells } = JSON.parse(figure.querySelector("script").textContent);
  const has = (row, column) => (parseInt(cells[row][column >> 2], 16) >> (3 - (column & 3))) & 1;
  // Beside names a row is as high as a name.
  const wide = Math.max(1, Math.floor(1200 / columns.length)), high = named ? 1.25 * parseFloat(getComputedStyle(document.documentElement).fontSize) : rows.length > 300 ? 1 : rows.length > 100 ? 3 : 8;
  canvas.width = columns.length * wide;
  canvas.height = Math.round(rows.length * high);
  canvas.style.height = `${canvas.height}px`;
  // The picture is drawn once for each theme, and shown again below each mark.
  const picture = document.createElement("canvas"), pen = canvas.getContext("2d");
  const draw = () => {
    [picture.width, picture.height] = [canvas.width, canvas.height];
    const ink = picture.getContext("2d");
    ink.fillStyle = getComputedStyle(canvas).color;
    for (let row = 0; row < rows.length; row++)
      for (let column = 0; column < columns.length; column++) {
        if (!has(row, column)) continue;
        // Neighbours are one rectangle: there may be millions of cells.
        const from = column;
        while (column + 1 < columns.length && has(row, column + 1)) column++;
        ink.fillRect(from * wide, Math.round(row * high), (column + 1 - from) * wide, Math.max(1, Math.floor(high) - (high > 3 ? 1 : 0)));
      }
    show();
  };
  const show = () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0);
  };
  // One that nobody sees yet is not drawn.
  let isDrawn = false;
  new IntersectionObserver((seen) => { if (!isDrawn && seen.some((one) => one.isIntersecting)) { isDrawn = true; draw(); } }).observe(canvas);
  addEventListener("beforeprint", draw);
  said.textContent = "Point at a cell, or walk with the arrow keys.";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  const at = [0, 0];
  // The cell that is told has a frame.
  const mark = () => {
    if (!isDrawn) return;
    show();
    pen.strokeStyle = getComputedStyle(document.body).color;
    pen.lineWidth = 2;
    pen.strokeRect(at[1] * wide, Math.round(at[0] * high), Math.max(4, wide), Math.max(4, high));
  };
  const tell = () => { mark(); said.textContent = `${rows[at[0]].name} ${verbs[has(...at) ? 0 : 1]} ${columns[at[1]]}`; };
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    at[0] = Math.min(rows.length - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows.length)));
    at[1] = Math.min(columns.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * columns.length)));
    tell();
  };
  const follow = () => { const { link } = rows[at[0]]; if (link && has(...at)) location.hash = link; };
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("click", (event) => { point(event); follow(); });
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Enter") follow();
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [0, -20], PageDown: [0, 20], Home: [0, -columns.length], End: [0, columns.length] }[event.key];
    if (!step) return;
    event.preventDefault();
    at[0] = Math.min(rows.length - 1, Math.max(0, at[0] + step[0]));
    at[1] = Math.min(columns.length - 1, Math.max(0, at[1] + step[1]));
    tell();
  });
}
