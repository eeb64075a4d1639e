// A figure over time: the newest value as a number, the line so far below it, and the value under the pointer.

import { el, svg } from "clew/dom.js";

const WIDTH = 290;
const HEIGHT = 112;
const LEFT = 54;
const BOTTOM = 20;
const TOP = 8;
const RIGHT = 10;

export class LineChart {
  // `nice`: the top of the scale for a largest value.
  constructor(title, shown, lane, nice = niceAbove) {
    this.shown = shown;
    this.nice = nice;
    this.points = [];
    this.value = el("output", { class: "figure-value" }, "–");
    this.picture = svg("svg", { class: `line-chart lane${lane}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    this.picture.addEventListener("pointermove", (event) => this.point(event));
    this.picture.addEventListener("pointerleave", () => this.draw());
    this.element = el("figure", { class: "figure", "data-figure": title }, el("figcaption", {}, title, this.value), this.picture);
    this.draw();
  }

  show(points) {
    this.points = points;
    const last = points[points.length - 1];
    this.value.textContent = last ? this.shown(last[1]) : "–";
    this.draw();
  }

  draw(marked = null) {
    const { points } = this;
    const seconds = Math.max(points.length ? points[points.length - 1][0] : 0, 1);
    const most = this.nice(points.reduce((found, [, value]) => Math.max(found, value), 0) || 1);
    const x = (time) => LEFT + (time / seconds) * (WIDTH - LEFT - RIGHT);
    const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP);
    const parts = [];
    for (const share of [0, 0.5, 1]) {
      const at = y(most * share);
      parts.push(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }),
        svg("text", { class: "scale", x: LEFT - 6, y: at + 4, "text-anchor": "end" }, this.shown(most * share)));
    }
    parts.push(svg("text", { class: "scale", x: LEFT, y: HEIGHT - 5 }, "0 s"),
      svg("text", { class: "scale", x: WIDTH - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }, time(seconds)));
    if (points.length) {
      const line = points.map(([when, value]) => `${x(when).toFixed(1)},${y(value).toFixed(1)}`);
      const [first, last] = [points[0][0], points[points.length - 1][0]];
      parts.push(svg("path", { class: "area", d: `M${x(first)},${y(0)} L${line.join(" L")} L${x(last)},${y(0)} z` }),
        svg("path", { class: "line", d: `M${line.join(" L")}` }));
      const [when, value] = marked || points[points.length - 1];
      parts.push(svg("circle", { class: "dot", cx: x(when), cy: y(value), r: 3.5 }));
    }
    if (marked) {
      const left = x(marked[0]) > WIDTH / 2;
      parts.push(svg("line", { class: "pointer", x1: x(marked[0]), x2: x(marked[0]), y1: TOP, y2: HEIGHT - BOTTOM }),
        svg("text", { class: "pointed", x: x(marked[0]) + (left ? -7 : 7), y: TOP + 12, "text-anchor": left ? "end" : "start" }, `${this.shown(marked[1])} at ${time(marked[0])}`));
    }
    this.picture.replaceChildren(...parts);
  }

  point(event) {
    if (!this.points.length) return;
    const box = this.picture.getBoundingClientRect();
    const seconds = Math.max(this.points[this.points.length - 1][0], 1);
    const at = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * seconds;
    this.draw(this.points.reduce((best, one) => (Math.abs(one[0] - at) < Math.abs(best[0] - at) ? one : best)));
  }
}

function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((step) => step >= value);
}

export function niceBytes(value) {
  return 2 ** Math.ceil(Math.log2(Math.max(value, 1024)));
}

export function time(seconds) {
  if (seconds > 0 && seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export function amount(value) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (value >= size) return `${(value / (unit === "k" ? 1e3 : size)).toPrecision(3).replace(/\.0+$/, "")}${unit}`;
  }
  return Math.round(value).toLocaleString("en");
}

export function bytes(value) {
  for (const [size, unit] of [[2 ** 30, "GB"], [2 ** 20, "MB"], [2 ** 10, "kB"]]) {
    if (value >= size) return `${Number((value / size).toPrecision(3))} ${unit}`;
  }
  return `${Math.round(value)} B`;
}
