// Dark, light, or as the system says. The choice is kept where the browser allows it.

import { el } from "clew/dom.js";

const CHOICES = ["system", "light", "dark"];
const NAMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

function stored() {
  try {
    return localStorage.getItem("clew-theme") || "system";
  } catch {
    return "system";
  }
}

function apply(choice) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    localStorage.setItem("clew-theme", choice);
  } catch {
    // a file opened without storage keeps the choice for this page only
  }
  document.dispatchEvent(new CustomEvent("clew-theme"));
}

export function themeSwitch() {
  let choice = CHOICES.includes(stored()) ? stored() : "system";
  const button = el("button", {
    class: "quiet",
    type: "button",
    "data-role": "theme",
    text: NAMES[choice],
    onclick: () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      apply(choice);
      button.textContent = NAMES[choice];
    },
  });
  apply(choice);
  return button;
}
