import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { attacks, type Call } from "./hostile-attacks.ts";

/**
 * The hostile tenant, in a process of its own. Reads lines `{base, tokens, attack, seconds}`; answers
 * `prepared`, and then, once `go` is read, the count of its responses by status: `{"200": 12, "429": 3}`.
 */

interface Order {
  base: string;
  tokens: string[];
  attack: number;
  seconds: number;
}

// A tenant that is refused for its speed tries again a little later, as a client would.
const pauseMs = 250;

async function attack({ base, tokens, attack: place, seconds }: Order, go: () => Promise<unknown>) {
  const { at_once, prepare, request, tidy } = attacks[place]!;
  const call: Call = async (method, path, body) => {
    const response = await send(base, tokens[0]!, { method, path, body: textOf(body) });
    const text = await response.text();
    if (response.status === 429) {
      await wait(1000 * Number(response.headers.get("retry-after") ?? 1));
      return call(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : (JSON.parse(text) as { data: unknown }).data;
  };
  await prepare?.(call);
  console.log("prepared");
  await go();
  const counts: Record<string, number> = {};
  const end = performance.now() + seconds * 1000;
  let turn = 0;
  const loop = async () => {
    while (performance.now() < end) {
      const number = turn++;
      const left = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
      const status = await send(base, tokens[number % tokens.length]!, request(number), left)
        .then(async (response) => {
          await response.arrayBuffer();
          return String(response.status);
        })
        .catch(() => "none");
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === "429" || status === "503" || status === "none") await wait(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: at_once }, loop));
  console.log(JSON.stringify(counts));
  await tidy?.(call);
}

function textOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function send(
  base: string,
  token: string,
  { method, path, body }: { method: string; path: string; body?: string | undefined },
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
}

console.log("ready");
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
for (let line = await lines.next(); !line.done; line = await lines.next())
  await attack(JSON.parse(line.value) as Order, () => lines.next());
