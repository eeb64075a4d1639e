// The trace view: timeline, steps, sequence chart, variables and source of one run, kept at the same position.
//
// mountTraceView(root, view, options) draws a `clew.view/1` object. Options, all of them for pages with a server:
//   watch(text)    -> Promise of { text, values, error }: evaluates an expression in every state
//   fetched(form)  -> Promise of the trace in a form: html, mermaid, plantuml, trace
//   moved(position)   is told where the viewer is; `explore(position)`: opens that state in the state space
//   titled: false     the page itself says what model this is; themed: false: it has a switch for the theme
//   key               what the permalink calls this trace (default "step")

import { el, plural } from "clew/dom.js";
import { exportsOf } from "clew/exports.js";
import { SequenceChart } from "clew/sequence_chart.js";
import { SourceView } from "clew/source_view.js";
import { StepsList } from "clew/steps_list.js";
import { themeSwitch } from "clew/theme.js";
import { Timeline } from "clew/timeline.js";
import { TraceData } from "clew/trace_data.js";
import { VariablesTable } from "clew/variables_table.js";

const KINDS = { counterexample: "counterexample to", witness: "witness of", walk: "walk through the states", run: "" };

export function mountTraceView(root, view, options = {}) {
  const viewer = new TraceView(view, options);
  root.replaceChildren(viewer.element);
  viewer.go(positionInAddress(viewer.key, viewer.data.length));
  return viewer;
}

function positionInAddress(key, most) {
  const found = Number(new URLSearchParams(location.hash.slice(1)).get(key) || 0);
  return Number.isInteger(found) && found >= 0 ? Math.min(found, most) : 0;
}

class TraceView {
  constructor(view, options) {
    this.view = view;
    this.options = options;
    this.key = options.key || "step";
    this.data = new TraceData(view);
    this.position = 0;
    const go = (position) => this.go(position);
    this.timeline = new Timeline(this.data, go);
    this.steps = new StepsList(this.data, go);
    this.chart = new SequenceChart(this.data, go);
    this.variables = new VariablesTable(this.data, go);
    this.source = new SourceView(this.data);
    this.status = el("p", { class: "position", role: "status", "aria-live": "polite", "data-role": "position" });
    this.element = el("section", { class: "trace-view", "aria-label": "trace" },
      this.header(), this.timeline.element, this.panes(), this.branches());
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    window.addEventListener("hashchange", this.followAddress);
  }

  followAddress = () => {
    if (!this.element.isConnected) return window.removeEventListener("hashchange", this.followAddress);
    const position = positionInAddress(this.key, this.data.length);
    if (position !== this.position) this.go(position);
  };

  header() {
    const { view } = this;
    const about = [KINDS[view.kind] ?? "", view.property].filter(Boolean).join(" ");
    const mark = view.kind === "counterexample" ? "✗ " : view.kind === "witness" ? "✓ " : "";
    const lane = el("select", { "aria-label": "only this process", "data-role": "lane", onchange: () => this.choose(lane.value) },
      el("option", { value: "" }, "all processes"),
      view.processes.map((process, place) => el("option", { value: place }, process.title)));
    return el("header", { class: "trace-header" },
      el("div", { class: "trace-title" },
        el("h2", {}, this.options.titled === false ? null : `${view.title} `, about ? el("span", { class: "about" }, about) : null),
        view.reason ? el("p", { class: `reason ${view.kind}`, "data-role": "reason" }, mark, view.reason) : null),
      el("div", { class: "tools" },
        el("div", { class: "walk" },
          el("button", { type: "button", title: "first state (Home)", "aria-label": "first state", onclick: () => this.go(0) }, "|◀"),
          el("button", { type: "button", title: "one step back (←)", "aria-label": "one step back", "data-role": "back", onclick: () => this.go(this.data.before(this.position)) }, "◀"),
          this.status,
          el("button", { type: "button", title: "one step on (→)", "aria-label": "one step on", "data-role": "on", onclick: () => this.go(this.data.after(this.position)) }, "▶"),
          el("button", { type: "button", title: "last state (End)", "aria-label": "last state", onclick: () => this.go(this.data.length) }, "▶|")),
        view.processes.length > 1 ? lane : null,
        this.options.explore ? el("button", { type: "button", "data-role": "explore", onclick: () => this.options.explore(this.position) }, "Explore from here") : null,
        this.exportMenu(),
        this.options.themed === false ? null : themeSwitch()));
  }

  exportMenu() {
    const forms = exportsOf(this.view, this.chart, this.options.fetched);
    const items = forms.map(([name, about, make]) =>
      el("button", { type: "button", role: "menuitem", "data-export": name, onclick: () => this.exported(make) }, name, el("small", {}, about)));
    this.menu = el("details", { class: "menu", "data-role": "exports" }, el("summary", {}, "Export"), el("div", { role: "menu" }, items));
    return this.menu;
  }

  async exported(make) {
    this.menu.open = false;
    try {
      await make();
    } catch (error) {
      this.say(`cannot be exported: ${error.message}`);
    }
  }

  panes() {
    const words = el("input", { type: "search", placeholder: "filter variables", "aria-label": "filter variables", "data-role": "filter",
      oninput: () => this.variables.filter({ words: words.value }) });
    const changing = el("input", { type: "checkbox", onchange: () => this.variables.filter({ onlyChanging: changing.checked }) });
    const every = el("input", { type: "checkbox", checked: this.chart.everyStep, disabled: !this.chart.has,
      onchange: () => this.chart.filter({ everyStep: every.checked }) });
    this.note = el("p", { class: "note", role: "status", hidden: true, "data-role": "note" });
    return el("div", { class: "panes" },
      pane("Steps", "pane-steps", this.steps.element),
      pane("Sequence chart", "pane-chart", this.chart.element, el("label", { class: "check" }, every, "every step")),
      pane("Variables", "pane-variables", el("div", { class: "fill" }, this.note, this.variables.element), words, el("label", { class: "check" }, changing, "only changing"), this.watchForm()),
      pane("Source", "pane-source", this.source.element));
  }

  watchForm() {
    if (!this.options.watch) return null;
    const field = el("input", { type: "text", placeholder: "watch an expression", "aria-label": "watch an expression", "data-role": "watch", spellcheck: "false" });
    const watch = async (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text || this.data.watches.some((one) => one.text === text)) return;
      const found = await this.options.watch(text);
      if (found.error) return this.say(`${text}: ${found.error}`);
      this.say("");
      if (field.value.trim() === text) field.value = ""; // else something else is being typed
      if (this.data.watches.some((one) => one.text === text)) return;
      this.data.watches.push(found);
      this.variables.choose();
      this.variables.element.scrollTop = 0;
    };
    return el("form", { class: "watch-form", onsubmit: watch }, field, el("button", { type: "submit" }, "Watch"));
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  branches() {
    if (!this.view.branches.length) return null;
    const place = el("div", { class: "clew branch-place" });
    const buttons = this.view.branches.map((branch, number) =>
      el("button", { type: "button", onclick: () => {
        mountTraceView(place, branch.view, { ...this.options, key: `${this.key}-${number + 1}`, themed: false, explore: null, fetched: null, watch: null });
      } }, `${branch.at ? `behind step ${branch.at}` : "in the first state"}: ${branch.reason || "another run"}`));
    return el("div", { class: "branches" }, el("h3", {}, `${plural(buttons.length, "further run")} in this tree`), buttons, place);
  }

  choose(value) {
    const lane = value === "" ? null : Number(value);
    this.steps.filter(lane);
    this.steps.show(this.position);
    this.variables.filter({ lane });
    this.chart.filter({ lane });
    this.source.filter(lane);
  }

  go(position) {
    this.position = position;
    for (const part of [this.timeline, this.steps, this.chart, this.variables, this.source]) part.show(position);
    const cycle = this.data.inCycle(position) ? ` ↻` : "";
    this.status.textContent = `${position} / ${this.data.length}${cycle}`;
    const words = new URLSearchParams(location.hash.slice(1));
    if (Number(words.get(this.key) || 0) !== position) {
      words.set(this.key, position);
      history.replaceState(null, "", `#${words}`);
    }
    this.options.moved?.(position);
  }

  pressed(event) {
    const field = event.target.closest("input, select, textarea");
    if ((field && field.type !== "checkbox") || event.ctrlKey || event.metaKey || event.altKey) return;
    const targets = {
      ArrowRight: () => this.data.after(this.position),
      ArrowDown: () => this.data.after(this.position),
      ArrowLeft: () => this.data.before(this.position),
      ArrowUp: () => this.data.before(this.position),
      Home: () => 0,
      End: () => this.data.length,
      PageDown: () => Math.min(this.data.length, this.position + 10),
      PageUp: () => Math.max(0, this.position - 10),
    };
    if (event.key === "/") {
      event.preventDefault();
      this.element.querySelector("[data-role=filter]").focus();
    } else if (targets[event.key]) {
      event.preventDefault();
      this.go(targets[event.key]());
    }
  }
}

function pane(title, kind, body, ...tools) {
  return el("section", { class: `pane ${kind}`, "aria-label": title },
    el("div", { class: "pane-head" }, el("h3", {}, title), tools), body);
}
