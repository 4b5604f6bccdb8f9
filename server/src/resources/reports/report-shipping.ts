import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { addProblem, invalid, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { dayAt } from "../../domain/time/months.ts";
import { isDay } from "../../domain/validation/validation.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { ShippingReport, ShippingReportQuery } from "./schemas.ts";
import * as store from "./store.ts";

const dayMs = 86_400_000;
/** A leap year; more would be read for longer than a request should last. */
const daysMax = 366;

/**
 * What shipping cost, by time or by what was shipped. Money is the ledger's: debits of labels and bookings less
 * their refunds, in the days asked for. Throws 422.
 */
export async function reportShipping(
  { db, account, clock }: Context,
  { from, to, group_by = "day" }: Static<typeof ShippingReportQuery>,
): Promise<ShippingReport> {
  const { account_id, currency } = account;
  const time_zone = await store.timeZoneOf(db, account_id);
  const last = to ?? dayAt(clock.now(), time_zone);
  const first = from ?? firstOf(last);
  refuseBadRange(first, last);
  const range = { from: first, to: last, time_zone, group_by };
  const sums = await store.sumShipping(db, { account_id, ...range });
  const rows = sums.map((each) => ({ key: each.key, shown: toSums(each) }));
  const totals = rows.find(({ key }) => key === null)!.shown;
  const data = rows.flatMap(({ key, shown }) => (key === null ? [] : [{ key, ...shown }]));
  return { data, meta: { ...range, currency, totals } };
}

/** The first of thirty days. Throws 422 where it is before the year 1, which no query can have. */
function firstOf(last: string): string {
  const first = new Date(Date.parse(last) - 29 * dayMs).toISOString().slice(0, 10);
  if (!isDay(first)) throw invalid({ to: ["must be 0001-01-30 or later where from is absent."] });
  return first;
}

function refuseBadRange(from: string, to: string): void {
  const problems: Problems = {};
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) addProblem(problems, "to", "must not be before from.");
  if (days > daysMax)
    addProblem(problems, "from", `must be at most ${daysMax - 1} days before to.`);
  throwIfAny(problems);
}

function toSums({ subtotal_cents, tax_cents, ...sums }: store.ReportSums) {
  const { shipments, voided, delivered, on_time_rate, transit_days_p50 } = sums;
  const total_cents = subtotal_cents + tax_cents;
  return {
    shipments,
    voided,
    subtotal: fromCents(subtotal_cents),
    tax: fromCents(tax_cents),
    total: fromCents(total_cents),
    average_total: shipments === 0 ? null : fromCents(Math.round(total_cents / shipments)),
    delivered,
    on_time_rate: rounded(on_time_rate, 4),
    transit_days_p50: rounded(transit_days_p50, 1),
  };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
