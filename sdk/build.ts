import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

/**
 * Writes `sdk/dist`, the package as it is published: ESM, CommonJS and types in one file each. In the workspace
 * `@waybill/sdk` is its source, so that nothing waits for this build.
 */

const folder = fileURLToPath(new URL(".", import.meta.url));
const out = `${folder}dist/`;
rmSync(out, { recursive: true, force: true });
await build({
  entry: { index: `${folder}src/index.ts` },
  outDir: out,
  format: ["esm", "cjs"],
  target: "es2022",
  platform: "neutral",
  dts: true,
  minify: false,
  silent: true,
  config: false,
  tsconfig: `${folder}tsconfig.json`,
});

const source = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as Record<string, unknown>;
const { private: _private, devDependencies: _tools, scripts: _scripts, ...kept } = source;
const published = {
  ...kept,
  engines: { node: ">=18" },
  main: "./index.cjs",
  module: "./index.js",
  types: "./index.d.ts",
  exports: {
    ".": {
      import: { types: "./index.d.ts", default: "./index.js" },
      require: { types: "./index.d.cts", default: "./index.cjs" },
    },
    "./package.json": "./package.json",
  },
};
writeFileSync(`${out}package.json`, `${JSON.stringify(published, null, 2)}\n`);
copyFileSync(`${folder}README.md`, `${out}README.md`);
copyFileSync(`${folder}../LICENSE`, `${out}LICENSE`);
