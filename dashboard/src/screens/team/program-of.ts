const browsers: readonly [string, RegExp][] = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];
const systems: readonly [string, RegExp][] = [
  ["iOS", /iPhone|iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

/** The names of browser and system in what a browser calls itself; null where it is none that is known. */
export function programOf(user_agent: string): { browser: string | null; system: string | null } {
  const named = (list: readonly [string, RegExp][]) =>
    list.find(([, pattern]) => pattern.test(user_agent))?.[0] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
