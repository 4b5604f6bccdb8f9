import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

/** Documents name files and folders, which may move: each named one exists. */

const skipped = new Set(["node_modules", ".git", ".waybill"]);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow(".");
const folders = new Set(files.flatMap((path) => foldersOf(path)));

function foldersOf(path: string): string[] {
  const parts = dirname(path).split("/");
  return parts.map((_, place) => parts.slice(0, place + 1).join("/"));
}

// The changelog and ADRs name files of their time.
const documents = files.filter(
  (path) => path.endsWith(".md") && path !== "CHANGELOG.md" && !path.startsWith("docs/adr/"),
);

/** Folders that a running server makes, and no checkout has. */
const ofDataDirectory = [".waybill/", "postgres/"];

/** A path from the root, from `server/src/`, from the document, or the end of one. */
function isThere(named: string, document: string): boolean {
  if (ofDataDirectory.includes(named)) return true;
  const path = named.replace(/\/$/, "");
  const [known, ends] = named.endsWith("/") ? [folders, [...folders]] : [new Set(files), files];
  return (
    known.has(normalize(join(dirname(document), path))) ||
    known.has(path) ||
    ends.some((each) => each.endsWith(`/${path}`))
  );
}

test("every file and folder that a document names exists", () => {
  expect(documents.length).toBeGreaterThan(10);
  const missing = documents.flatMap((document) => {
    const named = readFileSync(document, "utf8").matchAll(
      /`((?:server|scripts|bench|docs|[\w.-]+)(?:\/[\w.-]+)*(?:\.(?:ts|mjs|sql)|\/))`/g,
    );
    return [...named]
      .map(([, path]) => path!)
      .filter((path) => !isThere(path, document))
      .map((path) => `${document}: ${path}`);
  });
  expect(missing).toEqual([]);
});

test("ARCHITECTURE's tree has every folder of the source, and no other", () => {
  const page = readFileSync("ARCHITECTURE.md", "utf8");
  const tree = /The tree,[^]*?```\n([^]*?)```/.exec(page)![1]!;
  const drawn = [...tree.matchAll(/^ {4}([\w-]+)\//gm)].map(([, name]) => name!);
  const real = readdirSync("server/src", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(drawn.toSorted()).toEqual(real.toSorted());
});

test("a test in a resource's folder asks the API alone: what needs a whole platform is in `server/test/e2e/`", () => {
  const tests = files.filter((path) => /^server\/src\/resources\/.*\.test\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(15);
  const platforms = tests.filter((path) => readFileSync(path, "utf8").includes("test/world.ts"));
  expect(platforms).toEqual([]);
});
