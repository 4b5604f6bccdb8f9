import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the server, unless it is up to date: the processes that the suite starts load it in a third of the time. */
export default function setup(): void {
  const script = fileURLToPath(new URL("../../../scripts/prepare.ts", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: ["ignore", "ignore", "inherit"] });
}
