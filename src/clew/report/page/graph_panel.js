// Graphs of states: around the walk, all of them, classes of them; and the automata of the processes.

import { el, plural, replaceChildren } from "clew/dom.js";
import { pngOf, save, standaloneSvg } from "clew/exports.js";
import { GraphPicture } from "clew/graph_picture.js";
import { address, ask, setAddress, tell } from "clew/server.js";

const KINDS = { around: "Walk", all: "States", classes: "Classes", automata: "Processes" };
const ABOUT = { around: "the walk and one step beside it", all: "every state that was explored", classes: "states that look the same are one node", automata: "the automata of the processes, where they are now lit" };
const SIZES = [200, 500, 2000, 5000, 20000];

export class GraphPanel {
  constructor(about, walk) {
    this.walk = walk;
    this.kind = KINDS[address().get("graph")] ? address().get("graph") : "around";
    this.asked = 0;
    const chosen = (text, options, changed, role) => el("select", { "aria-label": text, "data-role": role, onchange: changed }, options.map(([value, shown]) => el("option", { value }, shown)));
    this.kinds = el("div", { class: "segments", role: "group", "aria-label": "which graph" }, Object.entries(KINDS).map(([value, text]) =>
      el("button", { type: "button", "data-graph": value, title: ABOUT[value], onclick: () => this.choose(value) }, text)));
    this.layout = chosen("layout", [["layered", "layered"], ["force", "force"]], () => this.redraw(), "layout");
    this.most = chosen("how many states", SIZES.map((size) => [size, `≤ ${size.toLocaleString("en")}`]), () => this.redraw(), "most");
    this.most.value = "2000";
    this.by = el("input", { type: "text", placeholder: "by expression or process:NAME", "aria-label": "classes by", list: "clew-names", "data-role": "by", spellcheck: "false", onchange: () => this.redraw() });
    this.colour = el("input", { type: "text", placeholder: "colour by", "aria-label": "colour by", list: "clew-names", "data-role": "colour", spellcheck: "false", onchange: () => this.paint() });
    this.names = el("datalist", { id: "clew-names" });
    this.legend = el("ul", { class: "legend", "data-role": "legend" });
    this.summary = el("p", { class: "graph-summary", role: "status", "data-role": "graph-summary" });
    this.picture = new GraphPicture((node) => this.chosen(node));
    this.export = el("details", { class: "menu" }, el("summary", {}, "Export"), el("div", {},
      el("button", { type: "button", onclick: () => this.saved("svg") }, "SVG"), el("button", { type: "button", onclick: () => this.saved("png") }, "PNG")));
    this.element = el("section", { class: "pane pane-graph", "aria-label": "graph" },
      el("div", { class: "pane-head" }, this.kinds, this.by, this.most, this.layout, this.colour, this.export, this.names),
      this.picture.element, el("div", { class: "graph-foot" }, this.summary, this.legend));
    this.told(about);
  }

  told(about) {
    this.about = about;
    this.asked += 1; // pictures of the model as it was are of no use any more
    this.drawn = null;
    this.kinds.querySelector("[data-graph=automata]").hidden = !about.automata;
    if (this.kind === "automata" && !about.automata) this.kind = "around";
  }

  choose(kind) {
    this.kind = kind;
    setAddress({ graph: kind === "around" ? null : kind });
    this.redraw();
  }

  show() {
    if (!this.drawn) return this.redraw();
    return this.picture.fitWhenNew();
  }

  // The walk has come to another state.
  async moved() {
    this.offerNames();
    const here = new Set(this.drawn?.nodes?.flatMap((node) => node.states) ?? []);
    if (this.kind === "around" || this.drawn?.kind !== this.kind || (this.kind === "all" && !here.has(this.walk.now().state.id))) await this.redraw();
    else this.light();
  }

  offerNames() {
    const { state } = this.walk.now();
    const names = [...state.processes.filter((process) => process.title !== "the model").map((process) => `process:${process.title}`), ...state.values.map((one) => one.name)];
    replaceChildren(this.names, names.map((name) => el("option", { value: name })));
    if (!this.by.value) this.by.value = names[0] ?? "";
  }

  async redraw() {
    const asked = ++this.asked;
    for (const button of this.kinds.children) button.setAttribute("aria-pressed", button.dataset.graph === this.kind ? "true" : "false");
    this.by.hidden = this.kind !== "classes";
    this.most.hidden = this.kind === "around" || this.kind === "automata";
    this.layout.hidden = this.kind === "automata";
    this.colour.hidden = this.kind === "automata" || this.kind === "classes";
    this.element.setAttribute("aria-busy", "true");
    try {
      const drawn = await this.fetched(() => asked === this.asked);
      if (asked !== this.asked || !drawn) return;
      this.drawn = drawn;
      drawn.kind = this.kind;
      this.picture.show(drawn, `${this.kind}/${this.layout.value}/${this.by.value}`);
      this.light();
      this.summarise();
      await this.paint();
    } catch (error) {
      if (asked === this.asked) this.summary.textContent = error.message;
    } finally {
      if (asked === this.asked) this.element.removeAttribute("aria-busy");
    }
  }

  async fetched(wanted) {
    const now = this.walk.now();
    if (!now.state) return null;
    if (this.kind === "automata") return joined((await ask("automata")).automata);
    const question = { generation: now.generation, layout: this.layout.value, what: "around", start: now.start, choices: now.choices };
    if (this.kind !== "around") {
      question.what = "all";
      question.most = Number(this.most.value);
      let grown;
      do {
        grown = await tell("grow", { most: question.most, generation: now.generation });
        if (!wanted()) return null;
        this.summary.textContent = `exploring: ${plural(grown.states, "state")} …`;
      } while (grown.going_on);
    }
    if (this.kind === "classes") question.by = this.by.value.split(";").map((part) => part.trim()).filter(Boolean);
    if (this.kind === "classes" && !question.by.length) throw new Error("classes by what? A variable, an expression, or process:NAME; several with ; between them");
    return { ...(await tell("graph", question)), by: question.by };
  }

  summarise() {
    const { drawn } = this;
    if (this.kind === "automata") this.summary.textContent = `${plural(drawn.groups.length, "kind")} of process; where they are now is lit`;
    else if (this.kind === "around") this.summary.textContent = `${plural(drawn.nodes.length, "state")} on the walk and one step beside it`;
    else {
      const all = drawn.complete ? plural(drawn.states, "state") + ", all there are" : `the first ${plural(drawn.states, "state")}, there are more`;
      this.summary.textContent = this.kind === "classes" ? `${plural(drawn.nodes.length, "class").replace("classs", "classes")} of ${all}` : all;
    }
  }

  // Marks where the walk is.
  light() {
    const now = this.walk.now();
    if (this.drawn?.kind !== this.kind || !now.state) return;
    if (this.kind === "automata") {
      const at = new Map();
      for (const process of now.state.processes) {
        const node = this.drawn.nodes.findIndex((one) => one.group === process.template && one.location === String(process.location));
        if (node >= 0) at.set(node, [...(at.get(node) ?? []), process]);
      }
      this.picture.occupy(at);
      return;
    }
    if (this.kind === "classes") {
      this.classOf(now.state.id);
      return;
    }
    const place = new Map(this.drawn.nodes.map((node, index) => [node.states[0], index]));
    this.picture.mark(place.get(now.state.id), now.states.map((state) => place.get(state)).filter((node) => node !== undefined));
  }

  async classOf(state) {
    const { drawn } = this;
    try {
      const found = await tell("class", { state, by: drawn.by, generation: this.walk.now().generation });
      if (drawn !== this.drawn || state !== this.walk.now().state?.id) return; // another picture or another state by now
      const node = drawn.nodes.findIndex((one) => one.lines.slice(0, -1).join("\n") === found.name);
      this.picture.mark(node < 0 ? undefined : node, []);
    } catch (error) {
      if (drawn === this.drawn) this.summary.textContent = error.message;
    }
  }

  async paint() {
    const by = this.colour.value.trim();
    const { drawn } = this;
    if (!by || this.colour.hidden || !drawn?.nodes) {
      this.picture.paint([]);
      return replaceChildren(this.legend);
    }
    const wanted = () => drawn === this.drawn && by === this.colour.value.trim();
    try {
      const found = await tell("colours", { states: drawn.nodes.map((node) => node.states[0]), by, generation: this.walk.now().generation });
      if (!wanted()) return null;
      this.picture.paint(found.colours);
      const others = found.colours.includes(0) ? [el("li", {}, el("i", { class: "paint0" }), "other")] : [];
      replaceChildren(this.legend, found.legend.map((text, place) => el("li", {}, el("i", { class: `paint${place + 1}` }), text.replace("\n", ", "))), others);
    } catch (error) {
      if (wanted()) this.summary.textContent = error.message;
    }
    return null;
  }

  async chosen(node) {
    if (node.states === undefined || !node.states.length) return;
    const now = this.walk.now();
    const back = now.states.lastIndexOf(node.states[0]);
    if (back >= 0) return this.walk.go(now.start, now.choices.slice(0, back));
    const offer = now.state.offers.find((one) => one.target === node.states[0]);
    if (offer) return this.walk.go(now.start, [...now.choices, offer.choice]);
    try {
      const path = await tell("path", { state: node.states[0], generation: now.generation });
      return now.asked === this.walk.now().asked ? this.walk.go(path.start, path.choices) : null; // else another step was asked for
    } catch (error) {
      return this.walk.say(error.message);
    }
  }

  async saved(form) {
    this.export.open = false;
    const { picture } = this.picture;
    if (form === "svg") save("states.svg", standaloneSvg(picture), "image/svg+xml");
    else save("states.png", await pngOf(picture), "image/png");
  }
}

// The automata in rows, as wide as is readable.
function joined(automata) {
  const nodes = [];
  const edges = [];
  const groups = [];
  const widest = 1150;
  let [left, top, lowest] = [0, 0, 0];
  for (const automaton of automata) {
    const first = nodes.length;
    const sides = (axis, side) => automaton.nodes.map((node) => node.at[axis] + (side * node.box[axis]) / 2);
    const loops = (node) => automaton.edges.filter((edge) => edge.from === node && edge.to === node).length;
    const labels = automaton.edges.map((edge) => automaton.nodes[edge.from].at[0] + Math.min(edge.label.length, 40) * 6.4 + 40 + 11 * loops(edge.from));
    const begin = [Math.min(...sides(0, -1)), Math.min(...sides(1, -1))];
    const width = Math.max(...sides(0, 1), ...labels) - begin[0];
    if (left > 0 && left + width > widest) [left, top] = [0, lowest + 70];
    const shift = [left - begin[0], top - begin[1]];
    const moved = ([x, y]) => [x + shift[0], y + shift[1]];
    for (const node of automaton.nodes) nodes.push({ ...node, at: moved(node.at), group: automaton.name, states: undefined });
    for (const edge of automaton.edges) edges.push({ ...edge, from: edge.from + first, to: edge.to + first, route: edge.route.map(moved) });
    groups.push({ name: automaton.name, at: [left, top - 22] });
    left += width + 110; // room for the names of the processes
    lowest = Math.max(lowest, Math.max(...sides(1, 1)) + shift[1]);
  }
  return { few: true, nodes, edges, groups };
}
