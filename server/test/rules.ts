import type { Static } from "typebox";
import { vi } from "vitest";
import type { Rule as RuleSchema, RuleRun as RunSchema } from "../src/resources/rules/schemas.ts";
import type { RuleTested as TestedSchema } from "../src/resources/rules/test-schemas.ts";
import type { DataOf, ListOf, Shipment } from "./client.ts";
import { must, type TestAccount } from "./world.ts";

/** Rules as a client would save them, and their effects as it sees them. */

export type Rule = Static<typeof RuleSchema>;
export type RuleRun = Static<typeof RunSchema>;
export type RuleTested = Static<typeof TestedSchema>;

export interface RuleEntry {
  name?: string;
  enabled?: boolean;
  priority?: number;
  trigger?: string;
  filter_id?: string;
  criteria?: object;
  actions?: object[];
  stop_processing?: boolean;
}

let made = 0;

export function aRule(entry: RuleEntry = {}): RuleEntry {
  made++;
  return {
    name: `Rule ${made}`,
    trigger: "shipment.created",
    actions: [{ type: "add_tag", tag: "seen" }],
    ...entry,
  };
}

/** Criteria of one condition. */
export function when(field: string, operator: string, value?: unknown): object {
  const condition = { field, operator, ...(value === undefined ? {} : { value }) };
  return { match: "all", conditions: [condition] };
}

export async function rule(account: TestAccount, entry: RuleEntry = {}): Promise<Rule> {
  return must(await account.post<DataOf<Rule>>("/rules", aRule(entry)), 201).data;
}

export async function runsOf(account: TestAccount, path: string): Promise<RuleRun[]> {
  return must(await account.get<ListOf<RuleRun>>(path), 200).data;
}

/** The runs on one shipment, oldest first. */
export async function runsOn(account: TestAccount, shipmentId: string): Promise<RuleRun[]> {
  return (await runsOf(account, `/rules/runs?shipment_id=${shipmentId}`)).reverse();
}

/** Waits until a rule has bought the shipment's label, or has recorded why not. */
export async function untilRuleBought(account: TestAccount, id: string): Promise<Shipment> {
  return vi.waitFor(
    async () => {
      const shipment = await account.show(id);
      const codes = shipment.messages.map((each) => (each as { code: string }).code);
      if (!codes.some((code) => code.startsWith("label_"))) throw new Error(codes.join(", "));
      return shipment;
    },
    { timeout: 15_000, interval: 20 },
  );
}
