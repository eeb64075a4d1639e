// Counterexamples, witnesses and walks: which one, and the viewer for it.

import { el, plural, replaceChildren } from "clew/dom.js";
import { address, ask, askText, setAddress, tell } from "clew/server.js";
import { mountTraceView } from "clew/trace_view.js";

export class TracePanel {
  constructor(explore, can) {
    this.explore = explore;
    this.can = can;
    this.shown = null;
    this.wanted = null; // what is shown, or will be as soon as the server has answered
    this.choice = el("select", { "aria-label": "which trace", "data-role": "which-trace", onchange: () => this.open(this.choice.value) });
    this.bar = el("div", { class: "trace-choice" }, el("label", {}, "trace ", this.choice));
    this.place = el("div", { class: "clew trace-place" });
    this.element = el("section", { class: "trace-panel", "aria-label": "traces" }, this.bar, this.place);
  }

  async refresh() {
    this.traces = await ask("traces");
    const walk = this.shown?.startsWith("walk:") ? [[this.shown, "the walk through the state space"]] : [];
    const known = this.traces.map((trace) => {
      const kind = trace.witness ? "witness of" : "counterexample to";
      const about = trace.property ? `${kind} ${trace.property}` : trace.reason || "run";
      return [String(trace.number), `${about}, ${plural(trace.steps, "step")}${trace.lasso ? ", with a cycle" : ""} (${trace.run})`];
    });
    const options = [...known, ...walk];
    replaceChildren(this.choice, options.map(([value, text]) => el("option", { value }, text)));
    this.bar.hidden = options.length < 2;
    if (this.shown !== null) this.choice.value = this.shown;
    else if (!options.length) this.say("There is no trace yet: check a model under Check, or walk through its states.");
  }

  say(text) {
    replaceChildren(this.place, el("p", { class: "empty", role: "status" }, text));
  }

  // The newest trace of a run, about a property.
  async openOf(run, property) {
    await this.refresh();
    const found = this.traces.findLast((trace) => trace.run === run && (!property || trace.property === property)) ?? this.traces.findLast((trace) => trace.run === run);
    if (found) await this.open(String(found.number), 0);
  }

  async show() {
    const wanted = address().get("trace");
    await this.refresh();
    if (wanted !== null) await this.open(wanted);
    else if (this.shown === null && this.traces.length) await this.open("0");
    else if (this.shown !== null) setAddress({ trace: this.shown });
  }

  async open(name, step = null) {
    if (name === this.wanted?.name && step === null) return;
    const wanted = { name };
    this.wanted = wanted;
    let view;
    try {
      view = await ask(`traces/${name}`);
    } catch (error) {
      if (this.wanted === wanted) this.wanted = { name: this.shown };
      return this.say(error.message);
    }
    if (this.wanted !== wanted) return;
    if (name !== this.shown && (this.shown !== null || step !== null)) setAddress({ step: step ?? 0 });
    this.shown = name;
    setAddress({ trace: name });
    await this.refresh();
    if (this.wanted !== wanted) return;
    mountTraceView(this.place, view, {
      themed: false,
      titled: false,
      watch: (text) => tell(`traces/${name}/watch`, { text }).catch((error) => ({ text, values: [], error: error.message })),
      fetched: (form) => askText(`traces/${name}/as/${form}`),
      explore: this.can.space ? (position) => this.explore(name, position) : null,
    });
  }
}
