// The source text: lines that were executed so far, by whom, and where each process was last.

import { chip, el } from "clew/dom.js";
import { Rows } from "clew/rows.js";

export class SourceView {
  constructor(data) {
    this.data = data;
    this.position = 0;
    this.lane = null;
    this.file = 0;
    this.lines = [];
    this.tabs = el("div", { class: "file-tabs", role: "tablist" });
    this.rows = new Rows(19, (index) => this.row(index), { class: "rows source", tabindex: 0, "aria-label": "source text" });
    this.element = el("div", { class: "source-box", "data-role": "source" }, this.tabs, this.rows.element);
    this.open(0);
  }

  open(file) {
    this.file = file;
    const found = this.data.view.files[file];
    this.lines = found ? found.text.split("\n") : [];
    const widest = this.lines.reduce((most, line) => Math.max(most, line.length), 0);
    this.rows.space.style.minWidth = `${widest + 26}ch`;
    this.tabs.replaceChildren(
      ...this.data.view.files.map((one, place) =>
        el("button", { type: "button", role: "tab", class: "file-tab", title: one.name, "aria-selected": place === file ? "true" : "false", onclick: () => this.open(place) }, one.short)),
    );
    this.rows.show(this.lines.length);
  }

  filter(lane) {
    this.lane = lane;
    this.show(this.position);
  }

  show(position) {
    this.position = position;
    this.executed = this.data.executedLines(position);
    this.last = new Map();
    for (const [process, { step, place }] of this.data.lastExecuted(position)) {
      if (this.lane !== null && process !== this.lane) continue;
      const key = `${place[0]}:${place[1]}`;
      if (!this.last.has(key)) this.last.set(key, []);
      this.last.get(key).push({ process, step, place });
    }
    const current = position > 0 ? this.data.steps[position - 1] : null;
    const place = current?.place;
    if (place && place[0] !== this.file) this.open(place[0]);
    if (place) this.rows.revealInContext(place[1] - 1);
    else this.rows.refresh();
  }

  row(index) {
    const line = index + 1;
    const counts = this.executed?.[this.file]?.get(line);
    const here = this.last?.get(`${this.file}:${line}`) || [];
    const now = here.filter((one) => one.step === this.position);
    const by = counts && (this.lane === null || counts.has(this.lane));
    const classes = ["line"];
    if (by) classes.push("executed");
    if (now.length) classes.push("now");
    const ticks = counts
      ? [...counts.keys()].filter((process) => this.lane === null || process === this.lane).slice(0, 4)
      : [];
    const about = counts
      ? [...counts].map(([process, count]) => `${this.data.view.processes[process].title}: ${count} ×`).join("\n")
      : null;
    return el(
      "div",
      { class: classes.join(" "), title: about, "data-line": line, "data-executed": by ? "true" : null },
      el("span", { class: "line-ticks", "aria-hidden": "true" }, ticks.map((process) => el("i", { class: `lane${process % 8}` }))),
      el("span", { class: "line-number" }, String(line)),
      this.text(index, now),
      el("span", { class: "line-who" }, here.map(({ process, step }) => {
        const title = this.data.view.processes[process].title;
        const mark = chip(process, step === this.position ? `▸ ${title}` : title);
        mark.title = this.data.about(title, step);
        return mark;
      })),
    );
  }

  // The line, with what the current step executed in it marked.
  text(index, now) {
    const text = this.lines[index];
    const span = now[0]?.place;
    if (!span || span[3] < 1) return el("span", { class: "line-text" }, text);
    const start = span[2] - 1;
    return el("span", { class: "line-text" }, text.slice(0, start), el("mark", {}, text.slice(start, start + span[3])), text.slice(start + span[3]));
  }
}
