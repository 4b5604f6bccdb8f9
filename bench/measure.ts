import autocannon from "autocannon";

/** How measurements are made: alternating, so that a machine whose speed drifts slows both sides alike. */

export interface Load {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** One body, or a new one for each request. */
  body?: string;
  bodies?: () => string;
}

const roundSeconds = 3;
const rounds = 4;

/** Requests per second of each load: the median over rounds that alternate between them. */
export async function throughput<Name extends string>(
  loads: Record<Name, Load>,
): Promise<Record<Name, number>> {
  const names = Object.keys(loads) as Name[];
  const seen = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figure = await requestRate(loads[name], roundSeconds);
      // The first round warms up.
      if (round > 0) seen.get(name)!.push(figure);
    }
  }
  const medians = names.map((name) => [name, median(seen.get(name)!)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** Requests per second over so many seconds, with 16 connections. */
export async function requestRate(load: Load, seconds: number): Promise<number> {
  const { bodies } = load;
  const result = await autocannon({
    url: load.url,
    connections: 16,
    duration: seconds,
    method: load.method ?? "GET",
    headers: load.headers,
    body: load.body,
    setupClient: (client) => {
      if (!bodies) return;
      const renew = () => {
        client.setBody(bodies());
      };
      client.on("response", renew);
      renew();
    },
  });
  if (result.non2xx > 0) throw new Error(`${load.url}: ${result.non2xx} answers were no success`);
  return result.requests.average;
}

/** Milliseconds of one call after the other: the median and the 99th percentile. */
export async function latency(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let index = 0; index < count + 10; index++) {
    const start = performance.now();
    await call(index);
    if (index >= 10) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { p50: median(times), p99: times[Math.floor(times.length * 0.99)]! };
}

/** Calls per second when `parallel` callers each take the next piece of work. */
export async function rate<T>(
  work: T[],
  parallel: number,
  call: (piece: T) => Promise<unknown>,
): Promise<number> {
  const queue = [...work];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let piece = queue.pop(); piece !== undefined; piece = queue.pop()) await call(piece);
    }),
  );
  return (work.length * 1000) / (performance.now() - start);
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}
