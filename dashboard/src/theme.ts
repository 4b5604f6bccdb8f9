export type Theme = "system" | "light" | "dark";

const stored = "waybill.theme";

/** The chosen theme; the system's without a choice. */
export function readTheme(): Theme {
  const theme = localStorage.getItem(stored);
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows the page in the theme, and remembers it in this browser. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    localStorage.removeItem(stored);
    return;
  }
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem(stored, theme);
}
