import { createServer } from "node:http";

/**
 * The receivers of `webhooks.ts`, in a process of their own: `/hang…` never answers, every other path accepts.
 * Answers each message of its parent with the delays since the last one, from an event to the first byte here.
 */
let delays: number[] = [];

const server = createServer((request, response) => {
  const arrived_at = Date.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url!.startsWith("/hang")) return;
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
    delays.push(arrived_at - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send!(server.address()));
process.on("message", () => {
  process.send!(delays);
  delays = [];
});
process.on("disconnect", () => process.exit(0));
