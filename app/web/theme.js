// Runs before anything is painted: the theme that was chosen here, or the system's.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => {
    try {
      return localStorage.getItem("clew-theme");
    } catch {
      return null; // Storage may be turned off.
    }
  };
  const apply = () => {
    const theme = stored() ?? (system.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    document.dispatchEvent(new CustomEvent("clew-theme", { detail: theme }));
  };
  system.addEventListener("change", apply);
  addEventListener("storage", (event) => event.key === "clew-theme" && apply());
  apply();
})();
