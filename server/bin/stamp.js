import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * A stamp says from which files something was built. It has two digests: one of the files' sizes and times, which
 * takes 20 ms to compare, and one of their content, which decides when a copy or a checkout has changed the times only.
 */

/**
 * The stamp of these files and folders below `root`, as text.
 * @param {string} root
 * @param {readonly string[]} sources
 * @returns {string}
 */
export function stampOf(root, sources) {
  const files = filesOf(root, sources);
  return `${timesOf(root, files)} ${contentOf(root, files)}\n`;
}

/**
 * Whether the sources are those that the stamp was made of.
 * @param {string} text
 * @param {string} root
 * @param {readonly string[]} sources
 * @returns {boolean}
 */
export function isStampOf(text, root, sources) {
  const [times, content] = text.trim().split(" ");
  const files = filesOf(root, sources);
  return times === timesOf(root, files) || content === contentOf(root, files);
}

/**
 * All files but tests, in one order on every machine.
 * @param {string} root
 * @param {readonly string[]} sources
 * @returns {string[]}
 */
function filesOf(root, sources) {
  return sources
    .flatMap((source) => (statSync(join(root, source)).isFile() ? [source] : filesIn(root, source)))
    .filter((path) => !path.endsWith(".test.ts"))
    .sort();
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {string}
 */
function timesOf(root, files) {
  const digest = createHash("sha256");
  for (const path of files) {
    const { size, mtimeMs } = statSync(join(root, path));
    digest.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return digest.digest("hex");
}

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {string}
 */
function contentOf(root, files) {
  const digest = createHash("sha256");
  for (const path of files) digest.update(`${path}\n`).update(readFileSync(join(root, path)));
  return digest.digest("hex");
}
