// The Explorer: one page about one model. Tabs, what the server says of the model and of itself, and the theme.

import { CheckPanel } from "clew/check_panel.js";
import { el, replaceChildren } from "clew/dom.js";
import { address, ask, setAddress, tell } from "clew/server.js";
import { SpacePanel } from "clew/space_panel.js";
import { themeSwitch } from "clew/theme.js";
import { TracePanel } from "clew/trace_panel.js";

const TABS = [["check", "Check"], ["trace", "Traces"], ["space", "State space"]];
const EVERY = 1500; // milliseconds between questions whether something has changed

class Explorer {
  constructor(root, about) {
    this.about = about;
    this.known = { generation: about.generation, traces: -1, checks: -1 };
    this.telling = Promise.resolve();
    this.check = new CheckPanel(about, (run, property) => this.showTrace(run, property));
    this.trace = new TracePanel((name, position) => this.explore(name, position), about);
    this.space = new SpacePanel(about, (name) => this.showWalk(name));
    this.panels = { check: this.check, trace: this.trace, space: this.space };
    this.title = el("h1", {}, about.title);
    this.tabs = TABS.map(([name, text]) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-tab": name,
      onclick: () => this.open(name, true), onkeydown: (event) => this.beside(event) }, text));
    this.banner = el("div", { class: "banner", role: "alert", hidden: true, "data-role": "banner" });
    this.places = TABS.map(([name]) => el("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: true }, this.panels[name].element));
    root.replaceChildren(
      el("header", { class: "shell" }, el("span", { class: "brand", "aria-hidden": "true" }, "clew"), this.title, el("span", { class: "language" }, about.language),
        el("nav", { role: "tablist", "aria-label": "views" }, this.tabs), themeSwitch()),
      this.banner, el("main", {}, this.places));
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("popstate", () => this.follow());
    this.follow();
    this.watch();
  }

  follow() {
    const wanted = address().get("tab") || (address().has("trace") ? "trace" : address().has("walk") ? "space" : null);
    this.open(this.panels[wanted] ? wanted : this.first(), false);
  }

  first() {
    return this.about.traces ? "trace" : this.about.can_check ? "check" : "trace";
  }

  open(name, push) {
    this.current = name;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", chosen ? "true" : "false");
      tab.tabIndex = chosen ? 0 : -1;
    }
    for (const place of this.places) place.hidden = place.id !== `panel-${name}`;
    setAddress({ tab: name }, { push });
    return this.panels[name].show?.();
  }

  beside(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.tabs.indexOf(event.target);
    this.tabs[(at + step + this.tabs.length) % this.tabs.length].focus();
  }

  async showTrace(run, property) {
    await this.trace.openOf(run, property);
    this.open("trace", true);
  }

  showWalk(name) {
    this.trace.open(name, 0);
    this.open("trace", true);
  }

  async explore(name, position) {
    try {
      const found = await tell(`traces/${name}/walk`, { position, generation: this.known.generation });
      await this.space.go(found.start, found.choices);
      this.open("space", true);
    } catch (error) {
      this.say(error.message);
    }
  }

  async watch() {
    await this.hear(() => ask("status"));
    setTimeout(() => this.watch(), document.hidden ? 4 * EVERY : EVERY);
  }

  // Asks how things are. One question after the other: an older answer never comes after a newer one.
  hear(question) {
    this.telling = this.telling.then(async () => {
      try {
        await this.told(await question());
      } catch (error) {
        this.say(error.status === 0 ? `${error.message}. It ended, or the network of this machine is in the way; what is shown stays.` : error.message);
      }
    });
    return this.telling;
  }

  async told(status) {
    const { known } = this;
    if (status.generation !== known.generation) await this.readAnew();
    if (known.checks !== status.checks.length) this.check.refresh();
    if (known.traces !== status.traces && this.current === "trace") this.trace.show();
    Object.assign(known, { checks: status.checks.length, traces: status.traces });
    const reload = el("button", { type: "button", "data-role": "reload", onclick: () => this.hear(() => tell("reload")) }, "Read it again");
    if (status.trouble.length) {
      const found = status.trouble.map((one) => `${one.file ?? ""}${one.line ? `:${one.line}` : ""}: ${one.message}`).join("; ");
      this.say(`The model cannot be read as it is now, so the one read before is shown. ${found} `, reload);
    } else if (status.edited.length) this.say(`${status.edited.join(", ")} has changed since it was read. `, reload);
    else this.say("");
  }

  async readAnew() {
    this.about = await ask("about");
    this.known.generation = this.about.generation;
    this.title.textContent = this.about.title;
    this.check.told(this.about);
    this.space.told(this.about);
    if (this.current === "space") this.space.show();
  }

  say(text, ...further) {
    if (this.banner.dataset.text === text && text) return;
    this.banner.dataset.text = text;
    replaceChildren(this.banner, text, further);
    this.banner.hidden = !text;
  }
}

const root = document.getElementById("explorer");
try {
  new Explorer(root, await ask("about"));
} catch (error) {
  root.replaceChildren(el("p", { class: "empty", role: "alert" }, `The Explorer cannot be shown: ${error.message}`));
  throw error;
}
