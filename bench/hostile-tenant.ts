import { createInterface } from "node:readline";
import { getPriority, loadavg, setPriority } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { knownScopes } from "../server/src/domain/accounts/scopes.ts";
import { attacks, from_address } from "./hostile-attacks.ts";
import type { Taken } from "./hostile-victim.ts";
import { startBenchServer, parcelEntry } from "./bench-server.ts";

/**
 * `node bench/hostile-tenant.ts [seconds] [words of an attack's name]`: another tenant's latency during
 * attacks by one within its limits. The settings are the defaults, rate limits included; attacker and victim
 * are processes of their own. Each attack is measured alternating with a quiet phase right before it, because
 * a machine's speed drifts.
 */

const seconds = Number(process.argv[2] ?? 20);
const wanted = process.argv.slice(3).join(" ");
const settleMs = 3000;
/**
 * The attacker's own machine is another one in reality: here its client yields to the server and the
 * victim.
 */
const politeness = 10;

interface Tenant {
  base: string;
  tokens: string[];
}

const bench = await startBenchServer({ WAYBILL_RATE_LIMITS: "on" });
const api = new URL(bench.base).origin;
const rows: string[] = [];
try {
  const [victim, attacker] = [await openTenant("Victim"), await openTenant("Attacker")];
  const victimProgram = await startProgram("hostile-victim.ts");
  const attackerProgram = await startProgram("hostile-attacker.ts");
  setPriority(attackerProgram.pid, Math.min(19, getPriority() + politeness));
  const measure = async () => {
    const shipments = await createShipments(victim, seconds * 2 + 1);
    return victimProgram.ask({ ...victim, shipments, seconds }) as Promise<Taken>;
  };
  await measure();
  for (const [place, { name }] of attacks.entries()) {
    if (!name.includes(wanted)) continue;
    await attackerProgram.say({ ...attacker, attack: place, seconds: seconds + 2 });
    await attackerProgram.hear();
    // The windows of the rate limits start anew: the attack has all of them.
    await wait(settleMs);
    const quiet = await measure();
    await attackerProgram.say({});
    const taken = await measure();
    const answers = await attackerProgram.hear();
    note(name, taken, quiet, answers);
    await wait(settleMs);
  }
} finally {
  await bench.stop();
}
console.log(
  `\n| what the other tenant does | reads: p50, p99, max; before, quiet | p99 (aim ≤ 250 ms) | purchases: p50, p90; before, quiet | p50 against quiet (aim ≤ 2) | failures | what it is answered |`,
);
console.log(`|---|---|---|---|---|---|---|`);
for (const row of rows) console.log(row);
console.log(`\nload of the machine (1 min), our own included: ${loadavg()[0]!.toFixed(1)}`);

function note(name: string, taken: Taken, quiet: Taken, answers: string) {
  const parts = (times: number[], ...shares: number[]) =>
    shares.map((share) => Math.round(at(times, share))).join(", ");
  const ratio = at(taken.purchases, 0.5) / at(quiet.purchases, 0.5);
  const failures = Object.entries(taken.failures).map(([what, count]) => `${count} × ${what}`);
  const row = [
    name,
    `${parts(taken.reads, 0.5, 0.99, 1)}; ${parts(quiet.reads, 0.5, 0.99, 1)}`,
    `${parts(taken.reads, 0.99)} ms`,
    `${parts(taken.purchases, 0.5, 0.9)}; ${parts(quiet.purchases, 0.5, 0.9)}`,
    ratio.toFixed(1),
    failures.join(", ") || "none",
    answers.replaceAll(/["{}]/g, "").replaceAll(",", ", "),
  ];
  rows.push(`| ${row.join(" | ")} |`);
  console.log(rows.at(-1));
}

function at(times: number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/**
 * An organization with money in its sandbox account, and three tokens, the most that its limits let it
 * use.
 */
async function openTenant(name: string): Promise<Tenant> {
  const operator = { base: `${api}/api/admin`, tokens: [bench.operator_token] };
  const { accounts } = (await call(operator, "POST", "/organizations", {
    name,
    owner_email: `${name.toLowerCase()}@example.com`,
  })) as { accounts: { id: string; environment: string; token: string }[] };
  const { id, token } = accounts.find(({ environment }) => environment === "test")!;
  await call(operator, "POST", `/accounts/${id}/adjustments`, {
    amount: 900_000,
    description: "Bench",
  });
  const tenant = { base: bench.base, tokens: [token] };
  for (let more = 0; more < 2; more++) {
    const minted = await call(tenant, "POST", "/tokens", {
      name: `More ${more}`,
      scopes: knownScopes,
    });
    tenant.tokens.push((minted as { token: string }).token);
  }
  return tenant;
}

async function createShipments(tenant: Tenant, count: number): Promise<string[]> {
  const rows = Array(count).fill({ ...parcelEntry, from_address });
  const created = (await call(tenant, "POST", "/shipments", rows)) as { data: { id: string } }[];
  return created.map(({ data }) => data.id);
}

async function call({ base, tokens }: Tenant, method: string, path: string, body: object) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${tokens[0]}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

async function startProgram(file: string) {
  const program = await bench.start(file);
  const lines = createInterface({ input: program.stdout! })[Symbol.asyncIterator]();
  const say = async (order: object) => void program.stdin!.write(`${JSON.stringify(order)}\n`);
  const hear = async () => (await lines.next()).value as string;
  return {
    pid: program.pid!,
    say,
    hear,
    async ask(order: object): Promise<unknown> {
      await say(order);
      return JSON.parse(await hear());
    },
  };
}
