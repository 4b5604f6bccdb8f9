import autocannon from "autocannon";

/** How measurements are made: alternating, so that a machine whose speed drifts slows both sides alike. */

export interface Load {
  /** The same at each process of the API: each has an equal share of the connections. */
  urls: string[];
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** One body, or a new one for each request. */
  body?: string;
  bodies?: () => string;
}

/** What a load was answered with. */
export interface Figure {
  perSecond: number;
  /** Milliseconds of processor time of each request, by process. */
  cost: Record<string, number>;
  p99_ms: number;
}

/** The processor time so far, in seconds, of each process at work. */
type Costs = () => Record<string, number>;

const connections = 16;
const roundSeconds = 3;
const rounds = 4;

/** The figures of each load: medians over rounds that alternate between them. */
export async function throughput<Name extends string>(
  loads: Record<Name, Load>,
  costs: Costs,
): Promise<Record<Name, Figure>> {
  const names = Object.keys(loads) as Name[];
  const seen = new Map<Name, Figure[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const before = costs();
      const { total, ...result } = await requestsOf(loads[name], roundSeconds);
      const figure = { ...result, cost: costOf(before, costs(), total) };
      // The first round warms up.
      if (round > 0) seen.get(name)!.push(figure);
    }
  }
  const medians = names.map((name) => [name, medianFigure(seen.get(name)!)]);
  return Object.fromEntries(medians) as Record<Name, Figure>;
}

/** Milliseconds of each process for one of so many requests. */
export function costOf(
  before: Record<string, number>,
  after: Record<string, number>,
  requests: number,
): Record<string, number> {
  const costs = Object.entries(after).map(([name, seconds]) => [
    name,
    ((seconds - before[name]!) * 1000) / requests,
  ]);
  return Object.fromEntries(costs) as Record<string, number>;
}

function medianFigure(figures: Figure[]): Figure {
  const of = (read: (figure: Figure) => number) => median(figures.map(read));
  const cost = Object.keys(figures[0]!.cost).map((name) => [name, of((each) => each.cost[name]!)]);
  return {
    perSecond: of((each) => each.perSecond),
    cost: Object.fromEntries(cost) as Record<string, number>,
    p99_ms: of((each) => each.p99_ms),
  };
}

/** Requests per second over so many seconds, with 16 connections. */
export async function requestRate(load: Load, seconds: number): Promise<number> {
  return (await requestsOf(load, seconds)).perSecond;
}

async function requestsOf({ urls, ...load }: Load, seconds: number) {
  const share = connections / urls.length;
  const results = await Promise.all(urls.map((url) => requestsTo(url, load, { seconds, share })));
  return {
    perSecond: results.reduce((sum, { requests }) => sum + requests.average, 0),
    total: results.reduce((sum, { requests }) => sum + requests.total, 0),
    p99_ms: Math.max(...results.map(({ latency }) => latency.p99)),
  };
}

async function requestsTo(
  url: string,
  { method, headers, body, bodies }: Omit<Load, "urls">,
  { seconds, share }: { seconds: number; share: number },
) {
  const result = await autocannon({
    url,
    connections: share,
    duration: seconds,
    method: method ?? "GET",
    headers,
    body,
    setupClient: (client) => {
      if (!bodies) return;
      const renew = () => {
        client.setBody(bodies());
      };
      client.on("response", renew);
      renew();
    },
  });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} answers were no success`);
  return result;
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
