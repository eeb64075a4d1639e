// The state space: a walk through it step by step, the state it has come to, and graphs around it.

import { chip, el, plural, replaceChildren } from "clew/dom.js";
import { GraphPanel } from "clew/graph_panel.js";
import { address, setAddress, tell } from "clew/server.js";
import { StatePanel } from "clew/state_panel.js";

export class SpacePanel {
  constructor(about, showWalk) {
    this.about = about;
    this.showWalk = showWalk;
    this.start = about.initial[0] ?? 0;
    this.choices = [];
    this.found = null;
    this.asked = 0;
    this.pending = null; // the walk that was asked for last, until it is shown
    this.note = el("p", { class: "note", role: "alert", hidden: true, "data-role": "space-note" });
    this.trail = el("ol", { class: "trail", start: 0, "data-role": "trail" });
    this.offers = el("ol", { class: "offers", "data-role": "offers" });
    this.beginning = el("select", { "aria-label": "initial state", "data-role": "initial", onchange: () => this.go(Number(this.beginning.value), []) });
    this.back = el("button", { type: "button", title: "undo the last step (Backspace)", "data-role": "undo", onclick: () => this.undo() }, "↶ Back");
    this.again = el("button", { type: "button", onclick: () => this.go(this.start, []) }, "Restart");
    this.whole = el("button", { type: "button", "data-role": "as-trace", title: "this walk as a trace: chart, table, exports", onclick: () => this.showWalk(this.name) }, "As a trace");
    this.random = el("button", { type: "button", title: "any step that can be taken", "data-role": "random", onclick: () => this.surprise() }, "Random");
    this.count = el("span", { class: "count" });
    this.state = new StatePanel(about, () => this.refresh());
    this.graph = new GraphPanel(about, { go: (start, choices) => this.go(start, choices), now: () => this.now(), say: (text) => this.say(text) });
    this.element = el("section", { class: "space-panel", "aria-label": "state space" }, this.note, this.panes());
    document.addEventListener("keydown", (event) => this.pressed(event));
    if (!about.space) this.say(`The states of this model cannot be walked through: ${about.why_no_space}`);
  }

  panes() {
    return el("div", { class: "space-panes" },
      pane("Walk", "pane-walk", this.trail, this.beginning, this.back, this.again, this.whole),
      pane("Steps that can be taken", "pane-offers", this.offers, this.count, this.random),
      this.graph.element, this.state.element);
  }

  get name() {
    return `walk:${[this.start, ...this.choices].join(".")}`;
  }

  now() {
    return { asked: this.asked, start: this.start, choices: this.choices, generation: this.about.generation, states: this.found?.states ?? [], state: this.found?.state };
  }

  told(about) {
    this.about = about;
    this.asked += 1; // answers about the model as it was are of no use any more
    this.start = about.initial[0] ?? 0;
    this.choices = [];
    this.found = this.pending = null;
    this.state.told(about);
    this.graph.told(about);
  }

  async show() {
    if (!this.about.space) return;
    const wanted = address().get("walk");
    const [start, ...choices] = (wanted ?? this.name.slice(5)).split(".").map(Number);
    if (this.found && wanted === [this.start, ...this.choices].join(".")) return this.graph.show();
    await this.go(start, choices);
  }

  // Takes the walk from `start` along `choices`; what cannot be walked is said, and nothing else happens.
  async go(start, choices) {
    const asked = ++this.asked;
    this.pending = { start, choices };
    let found;
    try {
      found = await tell("walk", { start, choices, watches: this.state.watches, generation: this.about.generation });
    } catch (error) {
      if (asked !== this.asked) return;
      this.pending = null;
      this.say(error.message);
      if (!this.found && choices.length) {
        await this.go(this.about.initial[0] ?? 0, []);
        this.say(error.message);
      }
      return;
    }
    if (asked !== this.asked) return; // another step was asked for meanwhile
    this.say("");
    Object.assign(this, { start, choices, found, pending: null });
    setAddress({ walk: [start, ...choices].join(".") });
    this.draw();
    this.graph.moved();
  }

  refresh() {
    const { start, choices } = this.pending ?? this;
    return this.go(start, choices);
  }

  undo() {
    const { start, choices } = this.pending ?? this;
    if (choices.length) this.go(start, choices.slice(0, -1));
  }

  take(choice) {
    const offer = this.found?.state.offers[choice];
    if (!offer) return;
    if (offer.target === null) this.say(`${offer.title}: ${offer.text} breaks down: ${offer.trouble.join("; ")}`);
    else this.go(this.start, [...this.choices, choice]);
  }

  surprise() {
    const possible = this.found?.state.offers.filter((offer) => offer.target !== null) ?? [];
    if (possible.length) this.take(possible[Math.floor(Math.random() * possible.length)].choice);
  }

  say(text) {
    this.note.textContent = text;
    this.note.hidden = !text;
  }

  draw() {
    const { found } = this;
    const focused = [this.offers, this.trail].find((list) => list.contains(document.activeElement));
    const several = found.initial.length > 1;
    this.beginning.hidden = !several;
    if (several) {
      replaceChildren(this.beginning, found.initial.map((number) => el("option", { value: number }, `from #${number}`)));
      this.beginning.value = String(this.start);
    }
    this.back.disabled = this.again.disabled = this.choices.length === 0;
    replaceChildren(this.trail, el("li", { class: this.choices.length ? "" : "current" },
      el("button", { type: "button", "data-position": 0, onclick: () => this.go(this.start, []) }, el("span", { class: "what" }, "first state"), el("span", { class: "state-number" }, `#${found.states[0]}`))),
    found.steps.map((step, index) => this.trailRow(step, index + 1)));
    this.trail.lastElementChild.scrollIntoView({ block: "nearest" });
    this.drawOffers(found.state);
    (focused === this.trail ? this.trail.lastElementChild : focused)?.querySelector("button")?.focus();
    this.state.show(found.state, found.watches, found.steps[found.steps.length - 1]?.pid);
  }

  trailRow(step, position) {
    const current = position === this.choices.length;
    return el("li", { class: current ? "current" : "", "aria-current": current ? "step" : null },
      el("button", { type: "button", "data-position": position, title: step.text, onclick: () => this.go(this.start, this.choices.slice(0, position)) },
        who(step), el("span", { class: "what" }, words(step)), el("span", { class: "state-number" }, `#${step.state}`)));
  }

  drawOffers(state) {
    this.count.textContent = plural(state.offers.length, "step");
    this.random.hidden = state.offers.length < 2;
    const rows = state.offers.map((offer, place) => {
      const lasting = offer.changes.map(([name, old, value]) => `${name}: ${old ?? "·"} → ${value ?? "·"}`);
      return el("li", { class: offer.trouble.length ? "wrong" : "" },
        el("button", { type: "button", "data-choice": place, title: [offer.text, ...lasting, ...offer.trouble].join("\n"), onclick: () => this.take(place) },
          el("kbd", { "aria-hidden": "true" }, place < 9 ? String(place + 1) : ""),
          el("span", { class: "offer-text" }, el("span", { class: "offer-head" }, who(offer), el("span", { class: "what" }, words(offer))),
            lasting.length ? el("small", {}, lasting.join(", ")) : null,
            offer.trouble.length ? el("small", { class: "trouble" }, `✗ ${offer.trouble.join("; ")}`) : null),
          el("span", { class: offer.known ? "state-number known" : "state-number" }, offer.target === null ? "✗" : `#${offer.target}`)));
    });
    if (!rows.length) rows.push(el("li", { class: "empty" }, state.trouble.length ? "No step can be taken, and this is an error." : "No step can be taken: the run ends here."));
    replaceChildren(this.offers, rows);
  }

  pressed(event) {
    if (this.element.offsetParent === null) return; // another view is shown
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      this.undo();
    } else if (/^[1-9]$/.test(event.key)) this.take(Number(event.key) - 1);
  }
}

function who(step) {
  return step.title === "the model" ? null : chip(Math.max(step.pid, 0), step.title);
}

function words(step) {
  return step.partner ? `${step.text}  ⇄ ${step.partner.title} ${step.partner.text}` : step.text || "—";
}

function pane(title, kind, body, ...tools) {
  return el("section", { class: `pane ${kind}`, "aria-label": title }, el("div", { class: "pane-head" }, el("h3", {}, title), tools), body);
}
