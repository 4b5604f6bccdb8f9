import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The suite starts hundreds of processes of the product. They share one folder of compiled code, because the
 * first half of each start is otherwise spent on stripping types from the same files. A run that is given a
 * folder uses that one, and leaves it for the next.
 */
export default function setup(): () => void {
  if (process.env["NODE_COMPILE_CACHE"]) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "waybill-compiled-"));
  process.env["NODE_COMPILE_CACHE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
