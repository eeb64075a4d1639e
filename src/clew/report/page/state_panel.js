// One state: what is true of it, its values (changed ones marked), watches, and where the processes are in the source.

import { chip, el, replaceChildren } from "clew/dom.js";
import { SourceView } from "clew/source_view.js";

export class StatePanel {
  constructor(about, changed) {
    this.changed = changed;
    this.watches = [];
    this.heading = el("h3", { "data-role": "state-number", role: "status" }, "State");
    this.trouble = el("div", { class: "state-trouble", "data-role": "trouble" });
    this.properties = el("ul", { class: "propositions", "data-role": "propositions" });
    this.filter = el("input", { type: "search", placeholder: "filter", "aria-label": "filter variables", size: 8, oninput: () => this.drawValues() });
    this.values = el("tbody", {});
    this.field = el("input", { type: "text", placeholder: "watch an expression", "aria-label": "watch an expression", "data-role": "state-watch", spellcheck: "false" });
    const form = el("form", { class: "watch-form", onsubmit: (event) => this.watch(event) }, this.field, el("button", { type: "submit" }, "Watch"));
    this.sourcePlace = el("div", { class: "fill" });
    this.element = el("div", { class: "pane-state" },
      el("section", { class: "pane", "aria-label": "state" }, el("div", { class: "pane-head" }, this.heading, this.filter), el("div", { class: "pane-head second" }, form),
        el("div", { class: "state-body", tabindex: 0 }, this.trouble, this.properties, el("table", { class: "values", "data-role": "values" }, this.values))),
      el("section", { class: "pane", "aria-label": "source" }, el("div", { class: "pane-head" }, el("h3", {}, "Source")), this.sourcePlace));
    this.told(about);
  }

  told(about) {
    this.source = new SourceView(new Whereabouts(about.files));
    this.sourcePlace.replaceChildren(this.source.element);
  }

  async watch(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || this.watches.includes(text)) return;
    this.watches.push(text);
    this.field.value = "";
    await this.changed();
  }

  // `mover`: the process whose step led here.
  show(state, watches, mover) {
    Object.assign(this, { state, watched: watches });
    const marks = [state.transient ? "inside an indivisible sequence" : "", state.ends && !state.trouble.length ? "the run may end here" : ""].filter(Boolean);
    this.heading.textContent = `State #${state.id}${marks.length ? `, ${marks.join(", ")}` : ""}`;
    replaceChildren(this.trouble, state.trouble.map((text) => el("p", { class: "wrong-text" }, `✗ ${text}`)));
    replaceChildren(this.properties, state.properties.map((one) =>
      el("li", { class: one.holds ? "true" : one.good ? "false bad" : "false" }, el("span", { class: "truth" }, one.holds ? "✓ true" : "✗ false"), el("code", {}, one.text))));
    this.drawValues();
    this.source.data.at(state.processes);
    this.source.show(0);
    const placed = state.processes.filter((process) => process.place);
    if (!placed.length) return;
    if (!placed.some((process) => process.place[0] === this.source.file)) this.source.open(placed[0].place[0]);
    const moved = placed.find((process) => process.pid === mover) ?? placed[0];
    if (moved.place[0] === this.source.file) this.source.rows.revealInContext(moved.place[1] - 1);
  }

  drawValues() {
    if (!this.state) return;
    const wanted = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.watched.map((watch) => el("tr", { class: "watch", "data-watch": watch.text },
      el("th", { scope: "row" }, el("button", { class: "remove", type: "button", "aria-label": `remove the watch ${watch.text}`, onclick: () => this.unwatch(watch.text) }, "×"), watch.text),
      el("td", { class: watch.error ? "bad" : "" }, watch.error || watch.value)));
    for (const one of this.state.values) {
      if (wanted.length && !wanted.some((word) => one.name.toLowerCase().includes(word))) continue;
      rows.push(el("tr", { class: one.changed ? "changed" : "", "data-variable": one.name }, el("th", { scope: "row" }, this.name(one.name)), el("td", { title: one.value }, one.value ?? "·")));
    }
    replaceChildren(this.values, rows);
  }

  name(name) {
    const owner = this.state.processes.find((process) => name.startsWith(`${process.title}.`));
    return owner ? [chip(owner.pid, owner.title), ` ${name.slice(owner.title.length + 1)}`] : name;
  }

  unwatch(text) {
    this.watches = this.watches.filter((one) => one !== text);
    this.changed();
  }
}

// Where processes are in one state, in the words that the source view asks for.
class Whereabouts {
  constructor(files) {
    this.view = { files, processes: [] };
    this.steps = [];
    this.places = new Map();
  }

  at(processes) {
    this.view.processes = [];
    this.places = new Map();
    for (const process of processes) {
      this.view.processes[Math.max(process.pid, 0)] = { title: process.title };
      if (process.place) this.places.set(Math.max(process.pid, 0), { step: 0, place: process.place, parts: [] });
    }
  }

  lastExecuted() {
    return this.places;
  }

  executedLines() {
    return this.view.files.map(() => new Map());
  }

  about(title) {
    return `${title} is here`;
  }
}
