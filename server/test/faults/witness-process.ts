import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/**
 * A receiver of webhooks whose journal is on disk before it answers, so that what it says it received, it
 * received, whatever is killed. The path's first part says how it answers an event's first attempt; others it
 * accepts.
 */
export interface Witnessed {
  /** The path: the mode and the name of the cell's receiver. */
  path: string;
  /** The address at which it was received. */
  at: string;
  headers: Record<string, string>;
  body: string;
  /** What it is about to answer; null for no answer. */
  status: number | null;
}

/** `moves`: its name first leads to an address that may not be called. */
export type Mode = "204" | "500" | "302" | "410" | "half" | "hang" | "moves";

const [port, journal] = process.argv.slice(2);
const file = openSync(journal!, "a");
process.on("exit", () => closeSync(file));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const mode = request.url!.split("/")[1] as Mode;
    const isSpoiled = request.headers["waybill-attempt"] === "1" || mode === "410";
    const status = !isSpoiled || mode === "moves" ? 204 : statusOf(mode);
    const line: Witnessed = {
      path: request.url!,
      at: request.socket.localAddress!,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
      status,
    };
    writeSync(file, `${JSON.stringify(line)}\n`);
    fsyncSync(file);
    if (status !== null) response.writeHead(status, { location: "/204/elsewhere" }).end();
    else if (mode === "half") request.socket.end("HTTP/1.1 20");
  });
});
server.listen(Number(port), () => process.send!("ready"));

function statusOf(mode: Mode): number | null {
  return /^\d+$/.test(mode) ? Number(mode) : null;
}
process.on("disconnect", () => process.exit(0));
