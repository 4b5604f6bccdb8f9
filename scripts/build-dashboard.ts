import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/**
 * Builds `dashboard/dist`, with each file compressed beside it, because compressing while serving delays the
 * first page by seconds. A stamp of the sources makes a second build nothing.
 */

const root = join(import.meta.dirname, "..", "dashboard");
const dist = join(root, "dist");
const stampFile = join(dist, "stamp.txt");

/** Builds if the sources have changed since. Without the development tools it leaves what is there; false says so. */
export async function buildDashboard(): Promise<boolean> {
  const stamp = stampOf();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return true;
  const vite = await import("vite").catch(() => null);
  if (!vite) return false;
  await vite.build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });
  await compressAll();
  writeFileSync(stampFile, stamp);
  return true;
}

function stampOf(): string {
  const hash = createHash("sha256");
  const names = [
    "dashboard/{index.html,vite.config.ts,package.json}",
    "dashboard/{src,public}/**/*",
    "sdk/src/**/*.ts",
    "sdk/generated/*.ts",
    "package-lock.json",
  ];
  const base = join(root, "..");
  for (const file of globSync(names, { cwd: base, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .sort()) {
    hash.update(file.slice(base.length)).update(readFileSync(file));
  }
  return hash.digest("hex");
}

async function compressAll(): Promise<void> {
  const files = globSync("**/*.{js,css,html,svg}", { cwd: dist });
  await Promise.all(
    files.map(async (name) => {
      const file = join(dist, name);
      const content = readFileSync(file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

if (import.meta.main && !(await buildDashboard())) {
  console.error("vite is not installed: the dashboard was not built.");
  process.exitCode = 1;
}
