import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

/** Types find a missing sentence; an empty one, or one that was not translated at all, they do not. */

const src = resolve(import.meta.dirname, "..");
const areas = globSync("**/words.en.ts", { cwd: src }).map((path) =>
  path.replace("/words.en.ts", ""),
);

test.each(areas)("%s has every sentence in both languages", async (area) => {
  const [en, fr] = await Promise.all(
    ["en", "fr"].map(async (locale) => {
      const module = (await import(join(src, area, `words.${locale}.ts`))) as { default: object };
      return pathsOf(module.default);
    }),
  );
  expect([...fr!.keys()].sort()).toEqual([...en!.keys()].sort());
  const empty = [...en!, ...fr!].filter(([, text]) => text === "").map(([path]) => path);
  expect(empty).toEqual([]);
});

/** Each sentence by its path; of one with parameters, its path alone. */
function pathsOf(words: object, prefix = ""): Map<string, string | null> {
  const entries = Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const path = prefix + name;
    if (typeof value === "object" && value !== null) return [...pathsOf(value, `${path}.`)];
    return [[path, typeof value === "string" ? value : null] as const];
  });
  return new Map(entries);
}
