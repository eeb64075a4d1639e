// The whole run as one line: a tick per step in the row of its process, prefix and cycle apart, and where we are.

import { el, plural, svg } from "clew/dom.js";

const ROW = 7;

export class Timeline {
  constructor(data, go) {
    this.data = data;
    this.go = go;
    this.picture = svg("svg", { class: "timeline-picture", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: data.length,
      step: 1,
      value: 0,
      class: "timeline-slider",
      "aria-label": "position in the run",
      oninput: () => go(Number(this.slider.value)),
    });
    this.cursor = el("div", { class: "timeline-cursor" });
    const prefix = data.loop === null ? data.length : data.loop;
    const labels = [el("span", { class: "timeline-prefix" }, data.loop === null ? plural(prefix, "step") : `prefix: ${plural(prefix, "step")}`)];
    if (data.loop !== null) {
      const text = data.cycleLength ? `↻ cycle: ${plural(data.cycleLength, "step")}, for ever` : "↻ nothing happens any more";
      labels.push(el("span", { class: "timeline-cycle" }, text));
    }
    this.element = el("div", { class: "timeline", "data-role": "timeline" }, el("div", { class: "timeline-labels" }, labels), el("div", { class: "timeline-ground" }, this.picture, this.cursor, this.slider));
    this.draw();
  }

  draw() {
    const { data } = this;
    const rows = Math.min(data.view.processes.length, 8);
    const width = Math.max(data.length, 1) * 10;
    const height = rows * ROW + 2;
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.style.height = `${Math.max(height, 16)}px`;
    const parts = [];
    if (data.cycleLength > 0) {
      parts.push(svg("rect", { class: "cycle-band", x: data.loop * 10, y: 0, width: data.cycleLength * 10, height }));
    }
    data.steps.forEach((step, index) => {
      for (const process of data.actors(index + 1)) {
        const y = (process % rows) * ROW + 2;
        parts.push(svg("rect", { class: `tick lane${process % 8}`, x: index * 10 + 1, y, width: 8, height: ROW - 2 }));
      }
      if (step.note) parts.push(svg("rect", { class: "tick wrong", x: index * 10, y: 0, width: 10, height }));
    });
    this.picture.replaceChildren(...parts);
  }

  show(position) {
    this.slider.value = position;
    const value = position === 0 ? "first state" : `step ${position} of ${this.data.length}`;
    this.slider.setAttribute("aria-valuetext", value);
    this.cursor.style.left = `${(100 * position) / Math.max(this.data.length, 1)}%`;
  }
}
