// A graph as SVG that can be moved and zoomed. Few nodes are boxes with labelled edges; many are dots, their edges three
// paths in all, and numbers appear where there is room for them.

import { el, shorten, svg } from "clew/dom.js";

const LABEL = 40; // characters of an edge's label
const CHARACTER = 6.4;
const LINE = 14;
const DOT = 7;
const NUMBERS_FROM = 0.75; // zoom at which dots show their numbers
const CLOSEST = 4;
const SHIFTS = [0, 11, -11, 22, -22, 33, -33, 44, -44, 55, -55, 66, -66, 77, -77, 88, -88]; // of a label that something else is in the way of
const READABLE = 0.62; // boxes are not made smaller than this to have all of them in sight

export class GraphPicture {
  constructor(choose) {
    this.choose = choose;
    this.nodes = [];
    this.zoom = 1;
    this.centre = [0, 0];
    this.shownAs = "";
    this.picture = svg("svg", { class: "graph", role: "group", "aria-label": "graph of states", "data-role": "graph" });
    const button = (text, title, act) => el("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    this.element = el("div", { class: "graph-box", tabindex: 0, "aria-label": "graph: arrows move it, plus and minus zoom, 0 fits it" }, this.picture,
      el("div", { class: "zoom" }, button("+", "zoom in", () => this.zoomBy(1.4)), button("−", "zoom out", () => this.zoomBy(1 / 1.4)), button("⤢", "fit", () => this.fit())));
    this.element.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.element.addEventListener("pointerdown", (event) => this.grabbed(event));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  // `as` names the kind of picture: while it stays the same, so does the view if everything is still in it.
  show(graph, as) {
    this.graph = graph;
    this.nodes = graph.nodes;
    this.hadFocus = this.picture.contains(document.activeElement);
    const body = graph.few ? this.boxes(graph) : this.dots(graph);
    this.above = svg("g", { class: "above", "aria-hidden": "true" });
    this.picture.replaceChildren(arrows(), ...body, this.above);
    this.picture.classList.toggle("many", !graph.few);
    this.marked = { node: undefined, trail: [] };
    const same = this.shownAs === as;
    this.shownAs = as;
    if (!same || !this.fitted) this.fit();
    else this.apply();
    if (same && graph.few) this.fit();
  }

  boxes(graph) {
    const twins = new Map();
    const pair = (edge) => `${edge.from}-${edge.to}`;
    const nths = graph.edges.map((edge) => {
      const nth = twins.get(pair(edge)) ?? 0;
      twins.set(pair(edge), nth + 1);
      return nth;
    });
    this.paths = graph.edges.map((edge, place) => this.route(edge, nths[place], twins.get(pair(edge))));
    apart(this.paths, graph.nodes.map((node) => around(node.at, node.box)));
    const edges = graph.edges.map((edge, place) => this.edge(edge, this.paths[place]));
    const nodes = graph.nodes.map((node, index) => this.box(node, index));
    const titles = (graph.groups ?? []).map((group) => svg("text", { class: "group-title", x: group.at[0], y: group.at[1] }, group.name));
    return [...titles, ...edges, ...nodes];
  }

  box(node, index) {
    const [x, y] = node.at;
    const [width, height] = node.box;
    const left = x - width / 2;
    const top = y - height / 2;
    const lines = node.lines.map((line) => shorten(line, 46));
    const first = y - ((lines.length - 1) * LINE) / 2 + 4;
    const parts = [svg("title", {}, node.lines.join("\n")), svg("rect", { class: "shape", x: left, y: top, width, height, rx: 7 })];
    if (node.kind === "end") parts.push(svg("rect", { class: "inner", x: left + 3, y: top + 3, width: width - 6, height: height - 6, rx: 5 }));
    if (node.initial) parts.push(svg("path", { class: "start", d: `M${left - 20},${y} H${left - 2}`, "marker-end": "url(#graph-start)" }));
    lines.forEach((line, place) => parts.push(svg("text", { class: place ? "line" : "line first", x, y: first + place * LINE, "text-anchor": "middle" }, line)));
    const clickable = node.states !== undefined;
    return svg("g", {
      class: `node ${node.kind}${node.initial ? " initial" : ""}`, "data-node": index, "data-state": node.states?.[0], "data-location": node.location,
      role: clickable ? "button" : null, tabindex: clickable ? 0 : null, "aria-label": clickable ? `go to state ${node.lines.join(", ")}` : null,
      onclick: () => this.clicked(node),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.clicked(node); } },
    }, parts);
  }

  edge(edge, path) {
    const { text: label, anchor } = path;
    const [x, y] = path.label;
    return svg("g", { class: `edge${edge.wrong ? " wrong" : ""}${edge.second ? " second" : ""}`, "data-from": edge.from, "data-to": edge.to },
      svg("title", {}, edge.label),
      svg("path", { class: "reach", d: path.d }), svg("path", { class: "stroke", d: path.d, "marker-end": edge.wrong ? "url(#graph-wrong)" : "url(#graph-arrow)" }),
      svg("text", { class: "halo", x, y, "text-anchor": anchor, "aria-hidden": "true" }, label), svg("text", { class: "label", x, y, "text-anchor": anchor }, label));
  }

  // The way of an edge, the `nth` of `count` between the same nodes, and where its label stands.
  route(edge, nth, count) {
    const text = shorten(edge.label.replaceAll("\n", " "), LABEL);
    const from = this.nodes[edge.from];
    const to = this.nodes[edge.to];
    if (edge.from === edge.to) {
      const [x, y] = [from.at[0] + from.box[0] / 2, from.at[1]];
      const out = (number) => 26 + number * 14;
      const far = x + out(nth);
      return { text, d: `M${x},${y - 8} C${far},${y - 24} ${far},${y + 24} ${x},${y + 8}`, label: [x + out(count - 1) * 0.75 + 6, y + 4 + (nth - (count - 1) / 2) * 12], anchor: "start" };
    }
    let points = edge.route.map(([x, y]) => [x + nth * 18, y]);
    if (!points.length) {
      const [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
      const length = Math.hypot(dx, dy) || 1;
      const bend = 16 + nth * 22; // to the right of the way, so that there and back are apart
      points = [[(from.at[0] + to.at[0]) / 2 - (dy / length) * bend, (from.at[1] + to.at[1]) / 2 + (dx / length) * bend]];
    }
    const start = border(from, points[0]);
    const end = border(to, points[points.length - 1]);
    const middle = Math.floor(points.length / 2);
    const whole = [start, ...points, end];
    const near = edge.route.length ? along(whole, middle + 1) : [start[0] + (end[0] - start[0]) * 0.6 + (points[middle][0] - (start[0] + end[0]) / 2) * 0.5, start[1] + (end[1] - start[1]) * 0.6 + (points[middle][1] - (start[1] + end[1]) / 2) * 0.5];
    const left = end[0] < start[0] - 8;
    return { text, d: smooth(whole), label: [near[0] + (left ? -6 : 6), near[1] + nth * 12], anchor: left ? "end" : "start" };
  }

  dots(graph) {
    const strokes = { plain: [], back: [], wrong: [] };
    for (const edge of graph.edges) {
      if (edge.from === edge.to) continue;
      const [x1, y1] = graph.nodes[edge.from].at;
      const [x2, y2] = graph.nodes[edge.to].at;
      const kind = edge.wrong ? "wrong" : this.isBack(edge) ? "back" : "plain";
      const bend = 0.12;
      strokes[kind].push(`M${x1},${y1}Q${((x1 + x2) / 2 - (y2 - y1) * bend).toFixed(1)},${((y1 + y2) / 2 + (x2 - x1) * bend).toFixed(1)} ${x2},${y2}`);
    }
    const edges = Object.entries(strokes).map(([kind, paths]) => svg("path", { class: `strokes ${kind}`, d: paths.join("") }));
    const nodes = graph.nodes.map((node, index) => svg("g", { class: `node ${node.kind}${node.initial ? " initial" : ""}`, "data-node": index, "data-state": node.states[0], onclick: () => this.clicked(node), onpointerenter: () => this.pointed(index) },
      svg("circle", { class: "shape", cx: node.at[0], cy: node.at[1], r: DOT }), svg("text", { class: "dot-number", x: node.at[0], y: node.at[1] + DOT + 8, "text-anchor": "middle" }, node.lines[0])));
    return [svg("g", { class: "all-strokes", "aria-hidden": "true" }, edges), svg("g", { class: "dots" }, nodes)];
  }

  isBack(edge) {
    return this.graph.nodes[edge.to].at[1] < this.graph.nodes[edge.from].at[1];
  }

  clicked(node) {
    if (!this.dragged) this.choose(node);
  }

  // The steps into and out of the node under the pointer.
  pointed(index) {
    if (!this.graph.few) this.drawAbove(index);
  }

  mark(node, trail) {
    this.marked = { node, trail };
    for (const one of this.picture.querySelectorAll(".current, .on-trail")) one.classList.remove("current", "on-trail");
    for (const place of trail) this.nodeElement(place)?.classList.add("on-trail");
    if (node !== undefined) this.nodeElement(node)?.classList.add("current");
    if (this.hadFocus) this.nodeElement(node)?.focus(); // a new picture: the keyboard goes on where the walk is
    this.hadFocus = false;
    const pairs = new Set(trail.slice(1).map((to, place) => `${trail[place]}-${to}`));
    for (const edge of this.picture.querySelectorAll(".edge")) edge.classList.toggle("on-trail", pairs.has(`${edge.dataset.from}-${edge.dataset.to}`));
    this.drawAbove(node);
    if (node !== undefined && this.fitted) this.bringIntoView(node);
  }

  nodeElement(index) {
    return this.picture.querySelector(`[data-node="${index}"]`);
  }

  drawAbove(index) {
    if (this.graph.few) return;
    const parts = [];
    const line = (from, to, kind) => {
      const [x1, y1] = this.nodes[from].at;
      const [x2, y2] = this.nodes[to].at;
      const bend = 0.12;
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const stop = 1 - (DOT + 3) / length;
      parts.push(svg("path", { class: kind, d: `M${x1},${y1}Q${(x1 + x2) / 2 - (y2 - y1) * bend},${(y1 + y2) / 2 + (x2 - x1) * bend} ${x1 + (x2 - x1) * stop},${y1 + (y2 - y1) * stop}`, "marker-end": "url(#graph-lit)" }));
    };
    this.marked.trail.slice(1).forEach((to, place) => line(this.marked.trail[place], to, "trail-line"));
    if (index !== undefined) {
      for (const edge of this.graph.edges) {
        if (edge.from !== edge.to && (edge.from === index || edge.to === index)) line(edge.from, edge.to, edge.from === index ? "out" : "in");
      }
    }
    const named = new Set([this.marked.node, index].filter((place) => place !== undefined));
    for (const place of named) {
      const node = this.nodes[place];
      parts.push(svg("text", { class: "named halo", x: node.at[0] + DOT + 5, y: node.at[1] - DOT - 3 }, node.lines[0]), svg("text", { class: "named", x: node.at[0] + DOT + 5, y: node.at[1] - DOT - 3 }, node.lines[0]));
    }
    this.above.replaceChildren(...parts);
  }

  // Processes at their locations: node -> processes
  occupy(at) {
    for (const one of this.picture.querySelectorAll(".current")) one.classList.remove("current");
    const parts = [];
    for (const [index, processes] of at) {
      this.nodeElement(index).classList.add("current");
      const node = this.nodes[index];
      processes.forEach((process, place) => {
        const width = process.title.length * CHARACTER + 12;
        const [x, y] = [node.at[0] - node.box[0] / 2 - width - 26, node.at[1] - (processes.length * 20) / 2 + place * 20];
        parts.push(svg("g", { class: `lane-title lane${process.pid % 8}` }, svg("rect", { x, y, width, height: 17, rx: 4 }), svg("text", { x: x + width / 2, y: y + 12.5, "text-anchor": "middle" }, `${process.title}`)));
      });
    }
    this.above.replaceChildren(...parts);
  }

  paint(colours) {
    this.nodes.forEach((_, index) => {
      const node = this.nodeElement(index);
      for (const name of [...node.classList].filter((one) => one.startsWith("paint"))) node.classList.remove(name);
      if (colours.length) node.classList.add(`paint${colours[index]}`);
    });
  }

  // --- moving and zooming

  extent() {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const node of this.nodes) {
      const [width, height] = node.box ?? [0, 0];
      box[0] = Math.min(box[0], node.at[0] - width / 2 - 30);
      box[1] = Math.min(box[1], node.at[1] - height / 2 - 16);
      box[2] = Math.max(box[2], node.at[0] + width / 2 + 16);
      box[3] = Math.max(box[3], node.at[1] + height / 2 + 16);
    }
    for (const [left, top, right, bottom] of this.graph.few ? this.paths.map(labelBox) : []) {
      box[0] = Math.min(box[0], left - 6);
      box[1] = Math.min(box[1], top - 4);
      box[2] = Math.max(box[2], right + 10);
      box[3] = Math.max(box[3], bottom + 4);
    }
    for (const group of this.graph.groups ?? []) box[1] = Math.min(box[1], group.at[1] - 22);
    if (!this.graph.few) box[1] -= 24; // room for the number of a state at the top
    if (this.graph.groups) box[0] -= 90; // room for the names of processes
    return box;
  }

  fit() {
    if (!this.nodes.length || !this.element.clientWidth) return;
    this.touched = false;
    const [left, top, right, bottom] = this.extent();
    const zoom = Math.min(this.element.clientWidth / (right - left), this.element.clientHeight / (bottom - top));
    this.zoom = Math.min(this.graph.few ? 1.15 : 2, zoom);
    this.centre = [(left + right) / 2, (top + bottom) / 2];
    this.least = this.zoom / 2;
    if (this.graph.few && zoom < READABLE) { // the rest is a matter of moving it
      this.zoom = READABLE;
      this.centre = [left + Math.min(right - left, this.element.clientWidth / READABLE) / 2, top + Math.min(bottom - top, this.element.clientHeight / READABLE) / 2];
    }
    this.fitted = true;
    this.apply();
  }

  fitWhenNew() {
    if (!this.fitted) this.fit();
  }

  // Until someone moves it, the picture fits its place.
  resized() {
    if (this.touched) this.apply();
    else this.fit();
  }

  apply() {
    const width = this.element.clientWidth / this.zoom;
    const height = this.element.clientHeight / this.zoom;
    if (!width || !height) return;
    this.picture.setAttribute("viewBox", `${this.centre[0] - width / 2} ${this.centre[1] - height / 2} ${width} ${height}`);
    this.picture.setAttribute("width", this.element.clientWidth);
    this.picture.setAttribute("height", this.element.clientHeight);
    this.picture.classList.toggle("numbers", this.zoom >= NUMBERS_FROM);
    this.picture.style.setProperty("--named", `${Math.max(11, 13 / this.zoom)}px`);
    this.picture.style.setProperty("--dot", `${Math.min(13, Math.max(DOT, 3 / this.zoom))}px`);
  }

  zoomBy(factor, at = null) {
    this.touched = true;
    const before = this.zoom;
    this.zoom = Math.min(CLOSEST, Math.max(this.least ?? 0.02, this.zoom * factor));
    if (at) {
      const box = this.element.getBoundingClientRect();
      const away = [at[0] - box.left - box.width / 2, at[1] - box.top - box.height / 2];
      this.centre = this.centre.map((place, axis) => place + away[axis] / before - away[axis] / this.zoom);
    }
    this.apply();
  }

  wheeled(event) {
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY * 0.0016), [event.clientX, event.clientY]);
  }

  grabbed(event) {
    if (event.button !== 0 || event.target.closest("button")) return;
    const from = { at: [event.clientX, event.clientY], centre: [...this.centre] };
    this.dragged = false;
    const move = (now) => {
      const by = [now.clientX - from.at[0], now.clientY - from.at[1]];
      if (Math.hypot(...by) > 4) this.dragged = true;
      if (!this.dragged) return;
      this.touched = true;
      this.centre = from.centre.map((place, axis) => place - by[axis] / this.zoom);
      this.apply();
    };
    const drop = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", drop);
      window.removeEventListener("pointercancel", drop);
      setTimeout(() => { this.dragged = false; });
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", drop);
    window.addEventListener("pointercancel", drop);
  }

  pressed(event) {
    if (event.target !== this.element) return;
    const step = 60 / this.zoom;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[event.key]) {
      event.preventDefault();
      this.touched = true;
      this.centre = this.centre.map((place, axis) => place + moves[event.key][axis]);
      this.apply();
    } else if (event.key === "+" || event.key === "=") this.zoomBy(1.4);
    else if (event.key === "-") this.zoomBy(1 / 1.4);
    else if (event.key === "0") this.fit();
  }

  bringIntoView(index) {
    const [x, y] = this.nodes[index].at;
    const half = [this.element.clientWidth / this.zoom / 2, this.element.clientHeight / this.zoom / 2];
    const out = Math.abs(x - this.centre[0]) > half[0] || Math.abs(y - this.centre[1]) > half[1];
    if (out) {
      this.centre = [x, y];
      this.apply();
    }
  }
}

function arrows() {
  const head = (id, kind, size = { markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9 }) => svg("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, orient: "auto", ...size }, svg("path", { class: kind, d: "M0,1 L9,5 L0,9 z" }));
  return svg("defs", {}, head("graph-arrow", "arrow-head"), head("graph-wrong", "arrow-head wrong"), head("graph-start", "arrow-head start"), head("graph-lit", "arrow-head lit", { markerUnits: "userSpaceOnUse", markerWidth: 11, markerHeight: 11 }));
}

function border(node, towards) {
  const [dx, dy] = [towards[0] - node.at[0], towards[1] - node.at[1]];
  if (!dx && !dy) return [node.at[0], node.at[1] + node.box[1] / 2];
  const scale = Math.min(dx ? node.box[0] / 2 / Math.abs(dx) : Infinity, dy ? node.box[1] / 2 / Math.abs(dy) : Infinity);
  return [node.at[0] + dx * scale, node.at[1] + dy * scale];
}

// Where a smooth line comes nearest to its point number `place`.
function along(points, place) {
  const half = (beside) => (beside === 0 || beside === points.length - 1 ? points[beside] : points[beside].map((x, axis) => (x + points[place][axis]) / 2));
  const [before, behind] = [half(place - 1), half(place + 1)];
  return points[place].map((x, axis) => (before[axis] + 2 * x + behind[axis]) / 4);
}

// Moves labels up or down a little until they are clear of the nodes and of each other; where there is no room they stay.
function apart(paths, taken) {
  const clear = (box) => taken.every(([left, top, right, bottom]) => box[2] <= left || box[0] >= right || box[3] <= top || box[1] >= bottom);
  for (const path of paths) {
    const moved = SHIFTS.map((down) => ({ ...path, label: [path.label[0], path.label[1] + down] }));
    const found = moved.find((one) => clear(labelBox(one))) ?? path;
    path.label = found.label;
    if (path.text) taken.push(labelBox(path));
  }
}

function labelBox({ text, label: [x, y], anchor }) {
  const wide = text.length * CHARACTER;
  return anchor === "end" ? [x - wide, y - 9, x, y + 2] : [x, y - 9, x + wide, y + 2];
}

function around([x, y], [width, height]) {
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

function smooth(points) {
  let path = `M${points[0].join(",")}`;
  for (let place = 1; place < points.length - 1; place++) {
    const [x, y] = points[place];
    const next = points[place + 1];
    const end = place + 2 === points.length ? next : [(x + next[0]) / 2, (y + next[1]) / 2];
    path += ` Q${x},${y} ${end.join(",")}`;
  }
  return path;
}
