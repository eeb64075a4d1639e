// Checks: begun here, watched while they run, stopped, and what they found.

import { el, plural, replaceChildren } from "clew/dom.js";
import { amount, bytes, LineChart, niceBytes, time } from "clew/line_chart.js";
import { ask, tell } from "clew/server.js";

const MARKS = { holds: "✓", violated: "✗", unknown: "?" };
const STATES = { running: "running", stopping: "stopping …", finished: "finished", killed: "killed", failed: "failed" };
const ENDS = { interrupt: "interrupted", killed: "the search was killed", crash: "the embedded C crashed" };
const EVERY = 300; // milliseconds between questions about a check that runs

export class CheckPanel {
  constructor(about, showTrace) {
    this.showTrace = showTrace;
    this.cards = new Map();
    this.list = el("div", { class: "checks", "data-role": "checks" });
    this.note = el("p", { class: "note", role: "alert", hidden: true });
    this.properties = el("div", { class: "property-list" });
    this.element = el("section", { class: "check-panel", "aria-label": "checks" }, this.form(about), this.note, this.list);
    this.told(about);
    this.runs = el("div", {});
    this.list.append(this.runs);
  }

  form(about) {
    this.engine = el("select", { "data-role": "engine" }, about.engines.map((name) => el("option", { value: name }, name)));
    this.search = el("select", {}, ["bfs", "dfs"].map((name) => el("option", { value: name }, { bfs: "breadth first", dfs: "depth first" }[name])));
    this.options = el("input", { type: "text", placeholder: "--max-time 5m --ltl '[] p'", spellcheck: "false", "data-role": "check-options", size: 30 });
    this.start = el("button", { type: "submit", class: "main", "data-role": "check" }, "Check");
    const form = el("form", { class: "check-form", onsubmit: (event) => this.begin(event) },
      el("fieldset", {}, el("legend", {}, "Properties"), this.properties),
      el("div", { class: "check-options" },
        el("label", {}, "engine", this.engine), el("label", {}, "search", this.search),
        el("label", { class: "wide" }, "further options of clew check", this.options), this.start));
    form.hidden = !about.can_check;
    return form;
  }

  told(about) {
    replaceChildren(this.properties, about.properties.map((property) =>
      el("label", { class: "check", title: property.text },
        el("input", { type: "checkbox", value: property.name }), el("span", {}, property.name), property.name.replace(/s$/, "") === property.kind || property.kind === property.name ? null : el("small", {}, property.kind))),
    about.properties.length ? el("small", { class: "hint" }, "none chosen: those checked by default") : el("small", {}, "this model declares none"));
  }

  async begin(event) {
    event.preventDefault();
    const properties = [...this.properties.querySelectorAll("input:checked")].map((box) => box.value);
    try {
      const check = await tell("checks", { properties, engine: this.engine.value, search: this.search.value, options: this.options.value });
      this.say("");
      if (!this.cards.has(check.number)) this.card(check.number).update(check);
      this.empty?.remove();
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  card(number) {
    if (!this.cards.has(number)) {
      const card = new CheckCard(number, this.showTrace);
      this.cards.set(number, card);
      this.list.prepend(card.element);
    }
    return this.cards.get(number);
  }

  // Checks of other pages, too.
  async refresh() {
    try {
      for (const check of await ask("checks")) if (!this.cards.has(check.number)) this.card(check.number).update(check);
      this.saved(await ask("runs"));
    } catch (error) {
      this.say(error.message);
    }
  }

  // The run that was opened, if one was; it stays the same.
  saved(runs) {
    if (!this.runs.childElementCount) replaceChildren(this.runs, runs.map((run) => el("article", { class: "check-card", "data-run": run.name },
      el("header", {}, el("h3", {}, `saved run ${run.name}`)), resultView(run.result, run.name, this.showTrace))));
    this.empty?.remove();
    this.empty = el("p", { class: "empty" }, "Nothing has been checked yet. Counterexamples found here appear under Traces.");
    if (!this.cards.size && !runs.length) this.list.append(this.empty);
  }
}

class CheckCard {
  constructor(number, showTrace) {
    this.number = number;
    this.showTrace = showTrace;
    this.samples = [];
    this.thinned = 0;
    this.following = null; // a question that will be asked soon
    this.told = 0; // how many answers were shown
    this.title = el("h3", {});
    this.state = el("span", { class: "check-state", role: "status", "data-role": "check-state" });
    this.stop = el("button", { type: "button", "data-role": "stop", onclick: () => this.stopped() }, "Stop");
    this.charts = {
      rate: new LineChart("states per second", amount, 0),
      depth: new LineChart("depth", amount, 2),
      memory: new LineChart("memory", bytes, 3, niceBytes),
      queue: new LineChart("queue", amount, 4),
    };
    this.totals = el("p", { class: "totals", "data-role": "totals" });
    this.figures = el("div", { class: "figures" }, Object.values(this.charts).map((chart) => chart.element));
    this.body = el("div", { class: "check-body" });
    this.element = el("article", { class: "check-card", "data-check": number }, el("header", {}, this.title, this.state, this.stop), this.totals, this.figures, this.body);
  }

  update(check) {
    this.told += 1;
    if (this.thinned !== check.thinned || check.first === 0) this.samples = [];
    this.samples = this.samples.slice(0, check.first).concat(check.samples);
    this.thinned = check.thinned;
    this.title.textContent = `${check.model} ${check.title}`.trim();
    this.state.textContent = STATES[check.state] + (check.took === null ? "" : ` after ${time(check.took)}`);
    this.state.dataset.state = check.state;
    const over = !["running", "stopping"].includes(check.state);
    this.stop.hidden = over;
    this.stop.textContent = check.state === "stopping" ? "Kill" : "Stop";
    this.draw(over);
    if (check.message) replaceChildren(this.body, el("pre", { class: "message", role: "alert" }, check.message));
    if (check.result.verdict) replaceChildren(this.body, resultView(check.result, check.run, this.showTrace));
    if (over) clearTimeout(this.following);
    else this.askIn(EVERY);
  }

  // One question at a time, however many have an answer to show.
  askIn(milliseconds) {
    clearTimeout(this.following);
    this.following = setTimeout(() => this.follow(), milliseconds);
  }

  draw(over) {
    const last = this.samples[this.samples.length - 1];
    this.totals.textContent = last ? `${last.states.toLocaleString("en")} states, ${last.transitions ? `${last.transitions.toLocaleString("en")} transitions, ` : ""}${time(last.seconds)}` : over ? "" : "reading the model, compiling …";
    this.figures.hidden = !last;
    if (!last) return;
    this.charts.rate.show(rates(this.samples));
    for (const [name, field] of [["depth", "depth"], ["memory", "bytes"], ["queue", "queue"]]) {
      this.charts[name].show(this.samples.map((sample) => [sample.seconds, sample[field]]));
    }
  }

  async follow() {
    const { told } = this;
    try {
      const check = await ask(`checks/${this.number}?since=${this.samples.length}&thinned=${this.thinned}`);
      if (told === this.told) this.update(check); // else a newer answer came first
    } catch (error) {
      this.state.textContent = error.message;
      if (error.status === 0) this.askIn(2000);
    }
  }

  async stopped() {
    this.stop.disabled = true;
    try {
      this.update(await tell(`checks/${this.number}/stop`));
    } catch (error) {
      this.state.textContent = error.message;
    }
    this.stop.disabled = false;
  }
}

// States per second between reports that are some time apart.
function rates(samples) {
  const found = [];
  let from = { seconds: 0, states: 0 };
  for (const sample of samples) {
    if (sample.seconds - from.seconds < 0.15) continue;
    found.push([sample.seconds, Math.max(0, (sample.states - from.states) / (sample.seconds - from.seconds))]);
    from = sample;
  }
  const last = samples[samples.length - 1];
  return found.length ? found : [[last.seconds, last.seconds ? last.states / last.seconds : 0]];
}

function resultView(result, run, showTrace) {
  const figures = result.statistics;
  const counted = (value, name) => value === null ? [] : [[value.toLocaleString("en"), name]]; // not every engine counts everything
  const facts = [
    ...counted(figures.states, "states"), ...counted(figures.transitions, "transitions"), ...counted(figures.depth, "depth"),
    [time(figures.seconds), "time"], ...(figures.peak_bytes === null ? [] : [[bytes(figures.peak_bytes), "memory"]]), [result.engine, "engine"],
  ];
  const rows = result.properties.map((property) => el("tr", { "data-property": property.name },
    el("td", { class: `verdict ${property.verdict}` }, `${MARKS[property.verdict]} ${property.verdict}`),
    el("th", { scope: "row" }, property.name, property.kind === property.name ? null : el("small", {}, property.kind)),
    el("td", {}, el("div", {}, property.reason), el("small", {}, property.evidence.text)),
    el("td", { class: "to-trace" }, property.trace ? el("button", { type: "button", "data-role": "show-trace", onclick: () => showTrace(run, property.name) },
      `Trace: ${plural(property.trace.steps.length, "step")}`) : null)));
  const notes = [...result.limits_hit.map((limit) => ENDS[limit] ?? `limit hit: ${limit}`), ...result.warnings.map((one) => one.message)];
  return el("div", { class: "result" },
    el("p", { class: `overall ${result.verdict}`, "data-role": "verdict" }, `${MARKS[result.verdict]} ${result.verdict}`),
    el("table", { class: "verdicts" }, el("tbody", {}, rows)),
    el("dl", { class: "facts" }, facts.map(([value, name]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    notes.length ? el("ul", { class: "notes" }, notes.map((text) => el("li", {}, text))) : null);
}
