// What every page has: its icons, the theme switch, signing in and out, and short messages.

import { token, whenTokenIsNeeded } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { icon, placeIcons } from "./icons.js";
import { askForToken } from "./sign_in.js";

const TOAST_MS = 5000;

/** Call once, before anything is asked of the server. */
export function startShell() {
  placeIcons();
  themeSwitch(byId("theme"));
  const out = byId("sign-out");
  out.addEventListener("click", () => {
    token.clear();
    location.reload();
  });
  out.hidden = token.get() === null;
  whenTokenIsNeeded(async (wasWrong) => {
    await askForToken(wasWrong);
    out.hidden = false;
  });
}

/** A line that goes away by itself; screen readers announce it. */
export function toast(text) {
  const shown = element("p.toast", {}, text);
  byId("toasts").append(shown);
  setTimeout(() => shown.remove(), TOAST_MS);
}

function themeSwitch(button) {
  const show = () => {
    const dark = document.documentElement.dataset.theme === "dark";
    fill(button, icon(dark ? "sun" : "moon"));
    button.setAttribute("aria-label", dark ? "Use the light theme" : "Use the dark theme");
    button.title = button.getAttribute("aria-label");
  };
  button.addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("clew-theme", chosen);
    } catch {
      // Storage may be turned off: it holds until the page is left.
    }
    document.documentElement.dataset.theme = chosen;
    show();
  });
  document.addEventListener("clew-theme", show);
  show();
}
