import autocannon from "autocannon";

/** How measurements are made: in turns, so that a machine whose speed drifts slows both sides alike. */

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
export async function throughput(
  loads: Record<string, Load>,
  connections = 16,
): Promise<Record<string, number>> {
  const seen: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, load] of Object.entries(loads)) {
      const result = await autocannon({
        url: load.url,
        connections,
        duration: roundSeconds,
        method: load.method ?? "GET",
        headers: load.headers,
        body: load.body,
        setupClient: (client) => {
          if (!load.bodies) return;
          client.on("response", renew);
          renew();
          function renew() {
            if (load.bodies) client.setBody(load.bodies());
          }
        },
      });
      if (result.non2xx > 0) throw new Error(`${name}: ${result.non2xx} answers were no success`);
      // The first round warms up.
      if (round > 0) (seen[name] ??= []).push(result.requests.average);
    }
  }
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
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
  return sorted[Math.floor(sorted.length / 2)]!;
}
