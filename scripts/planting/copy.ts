import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { PlantedBug } from "../../server/test/faults/planted-bugs/planted-bug.ts";

/**
 * Copies the product, its tests and the document that they compare responses with; the packages are those of
 * this checkout.
 */
export function copyTo(folder: string): void {
  mkdirSync(folder);
  for (const name of [
    "server",
    "dashboard",
    "sdk",
    "docs",
    "scripts",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vitest.config.ts",
  ]) {
    const filter = (path: string) => basename(path) !== "node_modules";
    cpSync(name, join(folder, name), { recursive: true, filter });
  }
  for (const packages of ["node_modules", "server/node_modules"])
    symlinkSync(resolve(packages), join(folder, packages));
}

/** Runs something while the bug's file is edited. Throws when the text to replace is not there once. */
export async function planted<T>(
  folder: string,
  bug: PlantedBug,
  work: () => Promise<T>,
): Promise<T> {
  const file = join(folder, bug.file);
  const text = readFileSync(file, "utf8");
  if (text.split(bug.find).length !== 2) throw new Error("its text is not there once");
  try {
    writeFileSync(
      file,
      text.replace(bug.find, () => bug.replace),
    );
    return await work();
  } finally {
    writeFileSync(file, text);
  }
}
