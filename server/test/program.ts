import { fileURLToPath } from "node:url";
import { builtServer } from "../bin/built.js";

/**
 * The product as tests start it in processes of its own: the built form, which loads in a fraction of the time, when it
 * was built from the present sources (`setup/build.ts`), else the sources.
 */

/** The path of `waybill <command>`. */
export const cli = fileURLToPath(new URL("../bin/waybill.js", import.meta.url));

/** `wiring/main.ts` and `config.ts`, for a process that starts a platform by itself. */
export async function loadProduct(): Promise<{
  main: typeof import("../src/wiring/main.ts");
  config: typeof import("../src/config.ts");
}> {
  const built = builtServer();
  if (!built)
    return {
      main: await import("../src/wiring/main.ts"),
      config: await import("../src/config.ts"),
    };
  const load = (name: string) => import(new URL(name, built).href) as Promise<unknown>;
  return {
    main: (await load("main.js")) as typeof import("../src/wiring/main.ts"),
    config: (await load("config.js")) as typeof import("../src/config.ts"),
  };
}
