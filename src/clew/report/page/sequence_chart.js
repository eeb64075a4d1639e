// The sequence chart: a lane per process, arrows for messages, marks for steps. Drawn as SVG that can stand alone.

import { el, shorten, svg } from "clew/dom.js";

const HEAD = 30;
const ROW = 24;
const LEFT = 46;
const CHARACTER = 6.7;
const LONGEST = 34;
const WIDEST = 110; // characters of a reason
const FEW = 60; // steps: then all of them are shown at first

export class SequenceChart {
  constructor(data, go) {
    this.data = data;
    this.go = go;
    this.position = 0;
    this.lane = null;
    const { events } = data.view.chart;
    this.has = events.some((event) => ["arrow", "send", "receive"].includes(event.kind));
    this.everyStep = !this.has || data.length <= FEW;
    this.headings = svg("svg", { class: "chart-headings", "aria-hidden": "true" });
    this.picture = svg("svg", { class: "chart", role: "img", "aria-label": "sequence chart of the run" });
    this.element = el("div", { class: "chart-box", tabindex: 0, "data-role": "chart" }, this.headings, this.picture);
    this.draw();
  }

  filter({ lane = this.lane, everyStep = this.everyStep }) {
    Object.assign(this, { lane, everyStep });
    this.draw();
    this.show(this.position);
  }

  visible(event) {
    if (event.kind === "divider") return true;
    if (event.kind === "step" && !this.everyStep) return false;
    if (this.lane === null) return true;
    const lanes = event.kind === "arrow" ? [event.from, event.to] : [event.lane];
    return lanes.some((lane) => this.data.view.chart.lanes[lane] === this.data.view.processes[this.lane].title);
  }

  // The x of each lane, far enough apart for titles and the labels between them.
  columns(events) {
    const { lanes } = this.data.view.chart;
    const gaps = lanes.map((title) => Math.max(96, title.length * CHARACTER + 26));
    for (const event of events) {
      const wide = shorten(event.label, LONGEST).length * CHARACTER + 30;
      if (event.kind === "arrow" && event.from !== event.to) {
        const [first, last] = [event.from, event.to].sort((a, b) => a - b);
        const have = gaps.slice(first, last).reduce((sum, gap) => sum + gap, 0);
        if (wide > have) gaps[last - 1] += wide - have;
      } else if (event.kind === "step" || event.kind === "send" || event.kind === "receive" || event.kind === "output") {
        const lane = event.kind === "arrow" ? event.from : event.lane;
        gaps[lane] = Math.max(gaps[lane], wide);
      }
    }
    const places = [];
    let x = LEFT + Math.max(30, ((lanes[0] || "").length * CHARACTER) / 2);
    for (const gap of gaps) {
      places.push(x);
      x += gap;
    }
    for (const event of events) {
      if (event.kind === "divider") x = Math.max(x, LEFT + shorten(event.label, WIDEST).length * CHARACTER + 20);
      if (event.kind === "error") x = Math.max(x, places[event.lane] + shorten(event.label, WIDEST).length * CHARACTER + 30);
    }
    return { places, width: x };
  }

  draw() {
    const { lanes, events } = this.data.view.chart;
    const shown = events.filter((event) => this.visible(event));
    const { places, width } = this.columns(shown);
    const height = HEAD + shown.length * ROW + 16;
    this.rowOf = new Map();
    const body = [];
    lanes.forEach((title, lane) => {
      body.push(svg("line", { class: "lifeline", x1: places[lane], y1: HEAD - 4, x2: places[lane], y2: height }));
    });
    shown.forEach((event, index) => {
      const y = HEAD + index * ROW + ROW / 2;
      if (event.step !== undefined && !this.rowOf.has(event.step)) this.rowOf.set(event.step, index);
      body.push(this.event(event, y, places, width));
    });
    this.marker = svg("rect", { class: "chart-cursor", x: 0, y: -100, width, height: ROW });
    const cycle = this.cycleBand(shown, width);
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("width", width);
    this.picture.setAttribute("height", height);
    this.picture.replaceChildren(...this.definitions(), ...cycle, this.marker, ...body, ...this.titles(lanes, places));
    this.headings.setAttribute("viewBox", `0 0 ${width} ${HEAD}`);
    this.headings.setAttribute("width", width);
    this.headings.setAttribute("height", HEAD);
    this.headings.replaceChildren(svg("rect", { class: "heading-ground", x: 0, y: 0, width, height: HEAD }), ...this.titles(lanes, places));
  }

  definitions() {
    const head = (id, kind) =>
      svg("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
        svg("path", { class: kind, d: "M0,1 L9,5 L0,9 z" }));
    return [svg("defs", {}, head("clew-arrow", "arrow-head"))];
  }

  titles(lanes, places) {
    return lanes.map((title, lane) => {
      const wide = title.length * CHARACTER + 16;
      const place = this.data.view.processes.findIndex((process) => process.title === title);
      return svg("g", { class: `lane-title lane${Math.max(place, 0) % 8}` },
        svg("rect", { x: places[lane] - wide / 2, y: 4, width: wide, height: 20, rx: 4 }),
        svg("text", { x: places[lane], y: 18, "text-anchor": "middle" }, title));
    });
  }

  cycleBand(shown, width) {
    if (!this.data.cycleLength) return [];
    const rows = shown.map((event, index) => [event, index]).filter(([event]) => event.step > this.data.loop);
    if (!rows.length) return [];
    const first = rows[0][1];
    const last = rows[rows.length - 1][1];
    return [svg("rect", { class: "cycle-band", x: 0, y: HEAD + first * ROW, width, height: (last - first + 1) * ROW })];
  }

  event(event, y, places, width) {
    if (event.kind === "divider") {
      return svg("g", { class: event.label === this.data.view.reason ? `divider outcome ${this.data.view.kind}` : "divider" },
        svg("line", { x1: 6, y1: y, x2: width - 6, y2: y }),
        this.label(event.label, LEFT, y + 4, "divider-label"));
    }
    const classes = `event is-${event.kind}`;
    const number = svg("text", { class: "event-number", x: LEFT - 22, y: y + 4, "text-anchor": "end" }, String(event.step));
    const hit = svg("rect", { class: "hit", x: 0, y: y - ROW / 2, width, height: ROW });
    const go = () => this.go(event.step);
    const about = svg("title", {}, `step ${event.step}: ${event.label}`);
    const frame = { class: classes, "data-step": event.step, onclick: go };
    if (event.kind === "arrow" && event.from !== event.to) {
      const from = places[event.from];
      const to = places[event.to];
      const towards = to > from ? 1 : -1;
      return svg("g", frame, about, hit, number,
        svg("line", { class: event.waited ? "arrow waited" : "arrow", x1: from, y1: y + 5, x2: to - towards, y2: y + 5, "marker-end": "url(#clew-arrow)" }),
        this.label(event.label, (from + to) / 2, y + 1, "message", "middle"));
    }
    const lane = event.kind === "arrow" ? event.from : event.lane;
    const x = places[lane];
    if (event.kind === "error") {
      return svg("g", frame, about, hit, number,
        svg("text", { class: "error-mark", x, y: y + 5, "text-anchor": "middle" }, "✗"),
        this.label(event.label, x + 12, y + 4, "error-text"));
    }
    const marks = { send: "○", receive: "●", output: "»", step: "•", arrow: "↺" };
    return svg("g", frame, about, hit, number,
      svg("text", { class: "event-mark", x, y: y + 5, "text-anchor": "middle" }, marks[event.kind]),
      this.label(event.label, x + 11, y + 4, "action"));
  }

  // A halo first, so that a label stays readable on a lifeline.
  label(text, x, y, kind, anchor = "start") {
    const most = kind === "error-text" || kind === "divider-label" ? WIDEST : LONGEST;
    const shown = shorten(text.replaceAll("\n", " "), most);
    return svg("g", {},
      svg("text", { class: `halo ${kind}`, x, y, "text-anchor": anchor, "aria-hidden": "true" }, shown),
      svg("text", { class: kind, x, y, "text-anchor": anchor }, shown));
  }

  show(position) {
    this.position = position;
    let row = this.rowOf.get(position);
    for (let step = position; row === undefined && step > 0; step--) row = this.rowOf.get(step);
    const y = row === undefined ? -100 : HEAD + row * ROW;
    this.marker.setAttribute("y", y);
    if (row === undefined) {
      this.element.scrollTop = 0;
      return;
    }
    const box = this.element;
    if (y - HEAD < box.scrollTop) box.scrollTop = Math.max(0, y - HEAD - ROW);
    else if (y + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + 2.5 * ROW - box.clientHeight;
  }
}
