#!/usr/bin/env node
import module from "node:module";
import { fileURLToPath } from "node:url";
import { builtServer } from "./built.js";

/**
 * `waybill <command>`: the built server when it was built from the present sources, else the TypeScript itself. It
 * is JavaScript, because Node strips no types from an installed package.
 */

const [major] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(`waybill: Node 24 or later is needed; this is ${process.version}`);
  process.exit(1);
}

const built = builtServer();
if (built) {
  // Does nothing where the folder cannot be written, and where NODE_COMPILE_CACHE names another.
  module.enableCompileCache(fileURLToPath(new URL("compiled", built)));
  await import(new URL("cli.js", built).href);
} else {
  await import(new URL("../src/cli/cli.ts", import.meta.url).href);
}
