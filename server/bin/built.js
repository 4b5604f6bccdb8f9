import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isStampOf } from "./stamp.js";

/** What the server is built from, below the repository's root: `scripts/prepare.ts` builds it. */
export const serverSources = [
  "package-lock.json",
  "scripts/build",
  "server/bin",
  "server/data/answers.json",
  "server/package.json",
  "server/src",
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = new URL("../dist/", import.meta.url);

/**
 * The folder of the built server: null when there is none, or when a source has changed since. An installed package has
 * no sources, and is always built.
 */
export function builtServer() {
  const isSource = existsSync(new URL("../src/cli/cli.ts", import.meta.url));
  if (!isSource) return dist;
  const stamp = new URL("stamp.txt", dist);
  if (!existsSync(stamp)) return null;
  return isStampOf(readFileSync(stamp, "utf8"), root, serverSources) ? dist : null;
}
