// The steps, one row each: number, who, what. Rows of the cycle carry a bar at their left side.

import { chip, el } from "clew/dom.js";
import { Rows } from "clew/rows.js";

export class StepsList {
  constructor(data, go) {
    this.data = data;
    this.go = go;
    this.position = 0;
    this.lane = null;
    this.rows = new Rows(26, (index) => this.row(index), {
      role: "listbox",
      tabindex: 0,
      "aria-label": "steps of the run",
      "data-role": "steps",
    });
    this.element = this.rows.element;
    this.filter(null);
  }

  // Only steps of one process; null for all.
  filter(lane) {
    this.lane = lane;
    this.shown = [0];
    for (let step = 1; step <= this.data.length; step++) {
      if (lane === null || this.data.actors(step).includes(lane)) this.shown.push(step);
    }
    this.rows.show(this.shown.length);
  }

  show(position) {
    this.position = position;
    const index = this.shown.findLastIndex((step) => step <= position);
    this.rows.reveal(Math.max(index, 0));
    this.element.setAttribute("aria-activedescendant", `step-${this.shown[Math.max(index, 0)]}`);
  }

  row(index) {
    const { data } = this;
    const number = this.shown[index];
    const current = number === this.position;
    const classes = ["step"];
    if (current) classes.push("current");
    if (number > this.position) classes.push("ahead");
    if (data.inCycle(number)) classes.push("in-cycle");
    if (data.loop !== null && number === data.loop + 1 && data.cycleLength) classes.push("cycle-start");
    if (number === data.length && data.cycleLength) classes.push("cycle-end");
    const attributes = {
      class: classes.join(" "),
      role: "option",
      id: `step-${number}`,
      "aria-selected": current ? "true" : "false",
      "data-step": number,
      onclick: () => this.go(number),
    };
    if (number === 0) {
      return el("div", attributes, el("span", { class: "number" }, "0"), el("span", { class: "what" }, "first state"));
    }
    const step = data.steps[number - 1];
    const several = data.view.processes.length > 1 || data.view.processes[0]?.name;
    const who = several ? chip(step.process, data.view.processes[step.process].title) : null;
    const partner =
      step.partner === undefined ? null : el("span", { class: "partner" }, "⇄ ", data.view.processes[step.partner].title);
    const mark = step.note ? el("span", { class: "wrong-mark", title: step.note }, "✗") : null;
    const inside = step.transient ? el("span", { class: "inside", title: "inside an indivisible sequence" }, "┆") : null;
    attributes.title = [step.text, step.message, step.note].filter(Boolean).join("\n");
    return el(
      "div",
      attributes,
      el("span", { class: "number" }, String(number)),
      who,
      el("span", { class: "what" }, step.text || "—"),
      partner,
      inside,
      mark,
    );
  }
}
