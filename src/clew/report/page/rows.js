// A scrolling list that draws only the rows in sight; all rows have the same height.

import { el } from "clew/dom.js";

const BEYOND = 8; // rows drawn beyond the edges

export class Rows {
  constructor(height, draw, attributes = {}) {
    this.height = height;
    this.draw = draw;
    this.count = 0;
    this.space = el("div", { class: "rows-space" });
    this.element = el("div", { class: "rows", ...attributes }, this.space);
    this.element.addEventListener("scroll", () => this.refresh());
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  show(count) {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.refresh();
  }

  refresh() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - BEYOND);
    const last = Math.min(
      this.count,
      Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.height) + BEYOND,
    );
    const rows = [];
    for (let index = first; index < last; index++) {
      const row = this.draw(index);
      row.style.top = `${index * this.height}px`;
      row.style.height = `${this.height}px`;
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
  }

  reveal(index) {
    const top = index * this.height;
    const box = this.element;
    if (top < box.scrollTop + this.height) box.scrollTop = Math.max(0, top - 2 * this.height);
    else if (top + 2 * this.height > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + 3 * this.height - box.clientHeight;
    }
    this.refresh();
  }

  // Like reveal, but with what is around it: a third of the height above.
  revealInContext(index) {
    const box = this.element;
    const top = index * this.height;
    if (top < box.scrollTop + this.height || top + 4 * this.height > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    this.refresh();
  }
}
