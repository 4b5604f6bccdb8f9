import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { batchTransitions } from "../domain/batches/batch-states.ts";
import { implies, knownScopes } from "../domain/accounts/scopes.ts";
import { courierTransitions, ltlTransitions } from "../domain/shipments/shipment-states.ts";
import { baseOf } from "./authenticate.ts";

/**
 * The reference's introduction: `server/data/introduction.md`, with figures and tables from the settings and
 * the code. Throws when the page has a placeholder that is not filled.
 */
export function introduction(config: Config): string {
  const page = readFileSync(new URL("../../data/introduction.md", import.meta.url), "utf8");
  const values = valuesOf(config);
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`introduction.md has the unknown placeholder ${name}`);
    return String(value);
  });
}

function valuesOf(config: Config): Record<string, string | number> {
  return {
    live_base: baseOf.live,
    test_base: baseOf.test,
    scopes: codes(knownScopes),
    implications: implications(),
    idempotency_hours: config.idempotency_window_hours,
    per_page: config.per_page_default,
    page_rows: config.page_rows_max,
    requests_per_minute: config.requests_per_minute,
    account_requests_per_minute: config.account_requests_per_minute,
    carrier_requests_per_minute: config.carrier_requests_per_minute,
    account_carrier_requests_per_minute: config.account_carrier_requests_per_minute,
    top_ups_per_minute: config.top_ups_per_minute,
    imports_per_minute: config.imports_per_minute,
    courier_statuses: transitionRows(courierTransitions),
    ltl_statuses: transitionRows(ltlTransitions),
    batch_statuses: transitionRows(batchTransitions),
  };
}

function implications(): string {
  const pairs = knownScopes.flatMap((wide) =>
    knownScopes
      .filter((narrow) => narrow !== wide && implies(wide, narrow))
      .map((narrow) => `\`${wide}\` implies \`${narrow}\``),
  );
  return pairs.join(", ");
}

/** Only statuses that can be reached or left have a row; those of other shipments have none. */
function transitionRows(transitions: Record<string, readonly string[]>): string {
  const reached = new Set(Object.values(transitions).flat());
  return Object.entries(transitions)
    .filter(([status, next]) => next.length > 0 || reached.has(status))
    .map(([status, next]) => `| \`${status}\` | ${next.length > 0 ? codes(next) : "nothing"} |`)
    .join("\n");
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** The groups of operations, in the order in which the reference shows them. */
export const documentTags = [
  ["Shipments", "Parcels and freight: created alone or up to 500 at once, changed, voided."],
  ["Rates", "What every enabled service costs, and why the others are not offered."],
  ["Labels", "Buying a label or booking freight, and reading what was bought."],
  ["Documents", "Many documents in one file, for printing."],
  ["LTL", "Cancelling a freight booking."],
  ["Batches", "Buying the labels of up to 10,000 shipments, asynchronously."],
  ["Manifests", "Handing labels over to carriers that want it."],
  ["Pickups", "Scheduling carrier pickups of labelled shipments."],
  ["Credits", "The balance, what moved it, and topping it up with a card."],
  ["Reports", "Counts by status, and what shipping cost."],
  ["Products", "What is sold and what customs have to know of it; imports from stores."],
  ["Billing statements", "One statement a month, with its transactions as PDF and CSV."],
  ["Orders", "What was bought in a shop, and the shipments that fulfil it."],
  ["Addresses", "Checking and correcting an address before shipping to it, and the address book."],
  ["Account", "The caller's own account: settings, preferences, presets of packages."],
  ["Carriers", "The carriers and services that there are."],
  ["Locations", "Where parcels can be dropped off."],
  ["Filters", "Saved criteria for lists and rules."],
  ["Automation rules", "What happens to orders and shipments by itself, and what did."],
  ["Events", "What happened in the account, in one order: to be read, waited for, or streamed."],
  ["Webhooks", "Addresses that events are sent to, each delivery, and what came of it."],
  ["Tokens", "The account's tokens: creating, rotating and revoking them."],
  ["Tracking", "Where packages are."],
  ["Logs", "What was asked of the API, and what it answered."],
].map(([name, description]) => ({ name: name!, description: description! }));
