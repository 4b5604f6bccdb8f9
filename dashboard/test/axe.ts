import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { CDPSession, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that a theme can change: a page has the same elements in both. */
const ofColours = ["color-contrast", "link-in-text-block"];

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** What axe finds, each with its element, in both themes. An open overlay is looked at alone: the rest is hidden behind it. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  if ((await evaluate(page, "typeof window.axe")) === "undefined") await evaluate(page, axe);
  for (const theme of ["light", "dark"]) {
    const rules = theme === "light" ? tags : ofColours;
    const text = await evaluate(page, script(theme, rules));
    found.push(...(JSON.parse(text) as string[]).map((each) => `${theme}: ${each}`));
  }
  return found;
}

function script(theme: string, rules: string[]): string {
  const options = JSON.stringify({ runOnly: rules, resultTypes: ["violations"], preload: false });
  return `(async () => {
    document.documentElement.dataset.theme = ${JSON.stringify(theme)};
    for (const each of document.getAnimations())
      if (each.effect?.getComputedTiming().iterations !== Infinity) each.finish();
    const overlays = document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]");
    const { violations } = await window.axe.run([...overlays].at(-1) ?? document, ${options});
    return JSON.stringify(violations.map(({ id, nodes }) => 
      id + ": " + nodes[0].html.slice(0, 300) + " " + (nodes[0].any[0]?.message ?? "")));
  })()`;
}

/** By the debugger, as the page's policy allows no such script. */
async function evaluate(page: Page, expression: string): Promise<string> {
  if (!sessions.has(page)) sessions.set(page, page.context().newCDPSession(page));
  const session = await sessions.get(page)!;
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
  return String(result.value);
}
