// What the trace viewer asks about a trace. Position 0 is the first state, position k the state after step k.

const EVERY = 32; // positions between states that are kept whole

export class TraceData {
  constructor(view) {
    this.view = view;
    this.steps = view.steps;
    this.length = view.steps.length;
    this.loop = view.loop;
    this.watches = [...(view.watches || [])];
    this.kept = [view.initial.values];
    const values = [...view.initial.values];
    this.changeCounts = new Array(view.variables.length).fill(0);
    view.steps.forEach((step, index) => {
      for (const [place, value] of step.changes) {
        values[place] = value;
        this.changeCounts[place] += 1;
      }
      if ((index + 1) % EVERY === 0) this.kept.push([...values]);
    });
  }

  // The values of all variables; null for one that does not exist there.
  valuesAt(position) {
    const whole = Math.floor(position / EVERY);
    const values = [...this.kept[whole]];
    for (let step = whole * EVERY; step < position; step++) {
      for (const [place, value] of this.steps[step].changes) values[place] = value;
    }
    return values;
  }

  changedAt(position) {
    return new Set(position === 0 ? [] : this.steps[position - 1].changes.map(([place]) => place));
  }

  // Whether the step is part of what repeats for ever.
  inCycle(step) {
    return this.loop !== null && step > this.loop;
  }

  get cycleLength() {
    return this.loop === null ? 0 : this.length - this.loop;
  }

  after(position) {
    if (position < this.length) return position + 1;
    return this.cycleLength > 0 ? this.loop + 1 : position; // round the cycle once more
  }

  before(position) {
    return Math.max(0, position - 1);
  }

  // Which processes take part in a step.
  actors(step) {
    const found = this.steps[step - 1];
    return found.partner === undefined ? [found.process] : [found.process, found.partner];
  }

  // Where each process was last seen executing, up to a position: process -> {step, place, parts}
  lastExecuted(position) {
    const found = new Map();
    const wanted = this.view.processes.length;
    for (let step = position; step >= 1 && found.size < wanted; step--) {
      const taken = this.steps[step - 1];
      if (!found.has(taken.process) && taken.place) {
        found.set(taken.process, { step, place: taken.place, parts: taken.parts || [] });
      }
      if (taken.partner !== undefined && taken.partner_place && !found.has(taken.partner)) {
        found.set(taken.partner, { step, place: taken.partner_place, parts: [] });
      }
    }
    return found;
  }

  // What stands at a line that `lastExecuted` names.
  about(title, step) {
    return `${title} was last here, in step ${step}`;
  }

  // How often each line was executed by each process up to a position: file -> line -> process -> count
  executedLines(position) {
    const files = this.view.files.map(() => new Map());
    const note = (place, process) => {
      const lines = files[place[0]];
      if (!lines.has(place[1])) lines.set(place[1], new Map());
      const counts = lines.get(place[1]);
      counts.set(process, (counts.get(process) || 0) + 1);
    };
    for (let step = 0; step < position; step++) {
      const taken = this.steps[step];
      const lines = new Map();
      for (const place of [taken.place, ...(taken.parts || [])]) {
        if (place) lines.set(`${place[0]}:${place[1]}`, place);
      }
      for (const place of lines.values()) note(place, taken.process);
      if (taken.partner_place) note(taken.partner_place, taken.partner);
    }
    return files;
  }
}
