// Variables as a table: a row per variable, a column per state, changed cells marked. Only cells in sight exist.

import { chip, el } from "clew/dom.js";

const ROW = 24;
const NAME = 190;
const CELL = 84;

export class VariablesTable {
  constructor(data, go) {
    this.data = data;
    this.go = go;
    this.position = 0;
    this.words = "";
    this.lane = null;
    this.onlyChanging = false;
    this.space = el("div", { class: "grid-space" });
    this.element = el(
      "div",
      { class: "grid", tabindex: 0, role: "grid", "aria-label": "variables at each step", "data-role": "variables" },
      this.space,
    );
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.choose();
  }

  // Which rows there are: by words in the name, by process, and whether the value ever changes.
  filter({ words = this.words, lane = this.lane, onlyChanging = this.onlyChanging }) {
    Object.assign(this, { words, lane, onlyChanging });
    this.choose();
  }

  choose() {
    const wanted = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.data.watches.map((watch, place) => ({ watch, place }));
    this.data.view.variables.forEach((variable, place) => {
      const name = variable.name.toLowerCase();
      if (wanted.length && !wanted.some((word) => name.includes(word))) return;
      if (this.lane !== null && variable.owner !== null && variable.owner !== this.lane) return;
      if (this.onlyChanging && this.data.changeCounts[place] === 0) return;
      rows.push({ variable, place });
    });
    this.rows = rows;
    this.space.style.height = `${(rows.length + 1) * ROW}px`;
    this.space.style.width = `${NAME + (this.data.length + 1) * CELL}px`;
    this.element.setAttribute("aria-rowcount", rows.length + 1);
    this.element.setAttribute("aria-colcount", this.data.length + 2);
    this.draw();
  }

  show(position) {
    this.position = position;
    const left = position * CELL;
    const room = this.element.clientWidth - NAME;
    if (left < this.element.scrollLeft) this.element.scrollLeft = Math.max(0, left - CELL);
    else if (left + CELL > this.element.scrollLeft + room) this.element.scrollLeft = left + 2 * CELL - room;
    this.draw();
  }

  draw() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
    const firstColumn = Math.max(0, Math.floor(scrollLeft / CELL) - 2);
    const lastColumn = Math.min(this.data.length, Math.ceil((scrollLeft + clientWidth - NAME) / CELL) + 1);
    const firstRow = Math.max(0, Math.floor(scrollTop / ROW) - 3);
    const lastRow = Math.min(this.rows.length - 1, Math.ceil((scrollTop + clientHeight) / ROW) + 2);
    const columns = [];
    for (let column = firstColumn; column <= lastColumn; column++) {
      columns.push({ column, values: this.data.valuesAt(column), changed: this.data.changedAt(column) });
    }
    const rows = [this.row(0, [...columns.map(({ column }) => this.head(column, scrollTop)), this.corner(scrollLeft, scrollTop)])];
    for (let row = firstRow; row <= lastRow; row++) rows.push(this.row(row + 1, this.cells(row, columns, scrollLeft)));
    this.space.replaceChildren(...rows);
  }

  row(number, cells) {
    return el("div", { role: "row", class: "grid-row", "aria-rowindex": number + 1 }, cells);
  }

  placed(node, x, y, width) {
    Object.assign(node.style, { transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${ROW}px` });
    return node;
  }

  cells(row, columns, scrollLeft) {
    const found = this.rows[row];
    const y = (row + 1) * ROW;
    const cells = [];
    for (const { column, values, changed } of columns) {
      let value, mark;
      if (found.watch) {
        value = found.watch.error ? "" : found.watch.values[column];
        mark = column > 0 && !found.watch.error && found.watch.values[column - 1] !== value;
      } else {
        value = values[found.place];
        mark = changed.has(found.place);
      }
      const classes = ["cell", ...this.columnClasses(column)];
      if (mark) classes.push("changed");
      if (value === null || value === undefined) classes.push("absent");
      const shown = value === null || value === undefined ? "·" : value;
      const cell = el("div", { class: classes.join(" "), role: "gridcell", "aria-colindex": column + 2, title: shown, onclick: () => this.go(column) }, shown);
      cells.push(this.placed(cell, NAME + column * CELL, y, CELL));
    }
    cells.push(this.placed(this.name(found), scrollLeft, y, NAME));
    return cells;
  }

  name(found) {
    if (found.watch) {
      const bad = found.watch.error;
      return el(
        "div",
        { class: bad ? "name watch bad" : "name watch", role: "rowheader", title: bad || found.watch.text },
        el("button", { class: "remove", type: "button", "aria-label": `remove the watch ${found.watch.text}`, onclick: () => this.unwatch(found.place) }, "×"),
        el("span", { class: "eye", "aria-hidden": "true" }, bad ? "!" : "◉"),
        bad ? `${found.watch.text}: ${bad}` : found.watch.text,
      );
    }
    const { variable } = found;
    if (variable.owner === null) return el("div", { class: "name", role: "rowheader", title: variable.name }, variable.name);
    const short = variable.name.slice(variable.name.indexOf(").") + 2);
    const title = this.data.view.processes[variable.owner].title;
    return el("div", { class: "name", role: "rowheader", title: variable.name }, chip(variable.owner, title), ` ${short}`);
  }

  unwatch(place) {
    this.data.watches.splice(place, 1);
    this.choose();
  }

  columnClasses(column) {
    const classes = [];
    if (column === this.position) classes.push("current");
    if (this.data.inCycle(column)) classes.push("in-cycle");
    if (this.data.loop !== null && column === this.data.loop + 1 && this.data.cycleLength) classes.push("cycle-start");
    return classes;
  }

  head(column, scrollTop) {
    const classes = ["cell", "head", ...this.columnClasses(column)];
    const text = this.data.inCycle(column) ? `↻ ${column}` : String(column);
    const cell = el("div", { class: classes.join(" "), role: "columnheader", "aria-colindex": column + 2, onclick: () => this.go(column) }, text);
    return this.placed(cell, NAME + column * CELL, scrollTop, CELL);
  }

  corner(scrollLeft, scrollTop) {
    const count = this.rows.length - this.data.watches.length;
    const cell = el("div", { class: "name head corner", role: "columnheader" }, `${count} of ${this.data.view.variables.length} variables`);
    return this.placed(cell, scrollLeft, scrollTop, NAME);
  }
}
