import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuildStep } from "./step.ts";

/** The dashboard, with each file compressed beside it: compressing while serving delays the first page by seconds. */
export const dashboardStep: BuildStep = {
  name: "dashboard",
  sources: [
    "dashboard/index.html",
    "dashboard/package.json",
    "dashboard/public",
    "dashboard/src",
    "dashboard/vite.config.ts",
    "package-lock.json",
    "scripts/build/dashboard.ts",
    "sdk/generated",
    "sdk/src",
  ],
  output: "dashboard/dist",
  async build(folder) {
    // Where tests begin with this build, it is "test", and React would be the one for development.
    process.env["NODE_ENV"] = "production";
    // Loaded here: an installation without development tools has no vite, and keeps the build that it has.
    const { build } = await import("vite");
    await build({
      configFile: fileURLToPath(new URL("../../dashboard/vite.config.ts", import.meta.url)),
      logLevel: "warn",
      build: { outDir: folder, emptyOutDir: true },
    });
    await compressAll(folder);
  },
};

async function compressAll(folder: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const files = globSync("**/*.{js,css,html,svg}", { cwd: folder });
  await Promise.all(
    files.map(async (name) => {
      const file = join(folder, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}
