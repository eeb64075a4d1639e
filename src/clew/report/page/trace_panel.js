// Counterexamples, witnesses and walks: which one, and the viewer for it.

import { el, plural, replaceChildren } from "clew/dom.js";
import { address, ask, askText, setAddress, tell } from "clew/server.js";
import { mountTraceView } from "clew/trace_view.js";

export class TracePanel {
  constructor(explore, can) {
    this.explore = explore;
    this.can = can;
    this.traces = [];
    this.failed = false; // whether there is only a message that a trace is not there
    this.wanted = null; // what is shown, or will be as soon as the server has answered
    this.choice = el("select", { "aria-label": "which trace", "data-role": "which-trace", onchange: () => this.open(this.choice.value) });
    this.bar = el("div", { class: "trace-choice" }, el("label", {}, "trace ", this.choice));
    this.place = el("div", { class: "clew trace-place" });
    this.element = el("section", { class: "trace-panel", "aria-label": "traces" }, this.bar, this.place);
  }

  // Asks which traces there are; what the server does not answer is said.
  async refresh() {
    try {
      this.choices(await ask("traces"));
    } catch (error) {
      if (!this.wanted && !this.failed) this.say(error.message);
    }
  }

  choices(traces) {
    if (traces.length < this.traces.length) return; // an older answer: there are never fewer of them
    this.traces = traces;
    const current = this.wanted?.name;
    const walk = current?.startsWith("walk:") ? [[current, "the walk through the state space"]] : [];
    const known = this.traces.map((trace) => {
      const kind = trace.witness ? "witness of" : "counterexample to";
      const about = trace.property ? `${kind} ${trace.property}` : trace.reason || "run";
      return [String(trace.number), `${about}, ${plural(trace.steps, "step")}${trace.lasso ? ", with a cycle" : ""} (${trace.run})`];
    });
    const options = [...known, ...walk];
    replaceChildren(this.choice, options.map(([value, text]) => el("option", { value }, text)));
    this.bar.hidden = options.length < 2 && !this.failed;
    this.choice.value = current ?? "";
    if (!options.length && !this.wanted && !this.failed) this.say("There is no trace yet: check a model under Check, or walk through its states.");
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
    await this.refresh();
    const wanted = address().get("trace");
    if (wanted !== null) await this.open(wanted);
    else if (this.wanted) setAddress({ trace: this.wanted.name });
    else if (this.traces.length) await this.open("0");
  }

  // The address says at once what is wanted. Without a `step` it is the one in the address, for another trace the first.
  async open(name, step = null) {
    if (name === this.wanted?.name && step === null) return;
    const position = step ?? (this.wanted ? 0 : undefined);
    const wanted = { name };
    this.wanted = wanted;
    const at = () => setAddress(position === undefined ? { trace: name } : { trace: name, step: position });
    at();
    let view;
    try {
      view = await ask(`traces/${name}`);
    } catch (error) {
      if (this.wanted !== wanted) return;
      this.wanted = null; // so that it can be asked for again
      this.failed = true;
      this.say(error.message);
      await this.refresh();
      return;
    }
    if (this.wanted !== wanted) return;
    this.failed = false;
    at(); // what was shown until now may have been stepped through meanwhile
    mountTraceView(this.place, view, {
      themed: false,
      titled: false,
      watch: (text) => tell(`traces/${name}/watch`, { text }).catch((error) => ({ text, values: [], error: error.message })),
      fetched: (form) => askText(`traces/${name}/as/${form}`),
      explore: this.can.space ? (position) => this.explore(name, position) : null,
    });
    await this.refresh();
  }
}
