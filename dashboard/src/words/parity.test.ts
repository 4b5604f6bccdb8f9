import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
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

test.each(areas)("%s in French never breaks a line before : ; ? ! or beside « »", (area) => {
  const texts = textsOf(join(src, area, "words.fr.ts"));
  expect(texts.filter((text) => / [:;?!»]|« /.test(text))).toEqual([]);
});

/** The texts of a file's strings and templates, without the code between them. */
function textsOf(path: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return texts;
}

/** Each sentence by its path; of one with parameters, its path alone. */
function pathsOf(words: object, prefix = ""): Map<string, string | null> {
  const entries = Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
    const path = prefix + name;
    if (typeof value === "object" && value !== null) return [...pathsOf(value, `${path}.`)];
    return [[path, typeof value === "string" ? value : null] as const];
  });
  return new Map(entries);
}
