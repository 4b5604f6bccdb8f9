import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { DialBoard, SimulatedOperation } from "./control/dials.ts";
import { Refusal } from "./refusal.ts";
import type { Steering } from "./steering.ts";

/** The ways in which a simulated carrier withholds a response, and how the simulator ends them on close. */
export interface ConnectionFaults {
  /** Waits, and throws when the simulator closes meanwhile. */
  wait(milliseconds: number): Promise<void>;
  /** Sends the response this much later than now at the earliest; it is made meanwhile. */
  delayResponse(reply: FastifyReply, milliseconds: number): void;
  /** Never responds: the connection stays open until the client or the simulator closes it. */
  hang(reply: FastifyReply): FastifyReply;
  /** Closes the connection instead of responding. */
  dropResponse(reply: FastifyReply): FastifyReply;
}

export function connectionFaults(app: FastifyInstance): ConnectionFaults {
  const closing = new AbortController();
  const hanging = new Set<FastifyReply>();
  // Connections without a request so far: Node would wait a minute for them.
  const unused = new Set<Socket>();
  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  app.addHook("preClose", async () => {
    closing.abort();
    for (const reply of hanging) reply.raw.destroy();
    for (const socket of unused) socket.destroy();
  });

  const wait = async (milliseconds: number) => {
    if (milliseconds > 0) await delay(milliseconds, undefined, { signal: closing.signal });
  };
  const dueTimes = new WeakMap<FastifyReply, number>();
  app.addHook("onSend", async (_request, reply) => {
    const due = dueTimes.get(reply);
    if (due !== undefined) await wait(due - performance.now());
  });

  return {
    wait,
    delayResponse(reply, milliseconds) {
      dueTimes.set(reply, performance.now() + milliseconds);
    },
    hang(reply) {
      reply.hijack();
      hanging.add(reply);
      reply.raw.on("close", () => hanging.delete(reply));
      return reply;
    },
    dropResponse(reply) {
      reply.hijack();
      reply.raw.destroy();
      return reply;
    },
  };
}

/**
 * Applies a dial before a call is handled: waits, fails (throws), or hangs (true: do not continue). A quote is made
 * while it waits: what all carriers compute in this one process is within their time, not after it.
 */
export async function disturbed(
  { dials, faults: { wait, hang, delayResponse } }: { dials: DialBoard; faults: ConnectionFaults },
  call: { carrier: string; operation: SimulatedOperation },
  reply: FastifyReply,
): Promise<boolean> {
  const dial = dials.turn(call.carrier, call.operation);
  if (!dial) return false;
  if (dial.hang) {
    hang(reply);
    return true;
  }
  if (call.operation === "quotes") delayResponse(reply, dial.latency_ms);
  else await wait(dial.latency_ms);
  return false;
}

/** Applies the steering to a call before it is handled: as with a dial, true means do not continue. */
export async function steered(
  {
    timeout,
    error,
    slow_ms,
    throttle,
  }: Pick<Steering, "timeout" | "error" | "slow_ms" | "throttle">,
  { wait, hang }: ConnectionFaults,
  reply: FastifyReply,
): Promise<boolean> {
  if (timeout) {
    hang(reply);
    return true;
  }
  await wait(slow_ms);
  if (throttle) throw new Refusal(429, "rate_limited", "Too many calls (sim:throttle).");
  if (error) throw new Refusal(500, "internal_error", "The carrier failed (sim:error).");
  return false;
}
