import { centsOf } from "../protocol/amount.ts";
import type { Recording } from "./corpus-world.ts";
import { isAnswer, recordedAnswer } from "./exchange-world.ts";
import type { Judge } from "./judge-world.ts";

/** What another project read of a recorded answer (`unified_out`), against what the adapter reads of it. */

interface Unified {
  tracking_number?: string;
  total_charge?: number;
  currency?: string;
  extra_charges?: { name: string; amount: number }[];
  events?: { code: string | null }[];
  delivered?: boolean;
  estimated_delivery?: string | null;
  selected_rate?: Unified | null;
}

export interface Pair {
  path: string;
  answer: Recording;
  unified: Unified[];
}

/** The answers beside which what another project read of them was recorded, by their names. */
export function pairsOf(recordings: readonly Recording[]): Pair[] {
  return recordings
    .filter(({ kind }) => kind === "unified_out")
    .flatMap((read) => {
      const answer = recordings.find(
        (each) => isAnswer(each) && subjectOf(each) === subjectOf(read),
      );
      const unified = resultsIn(read);
      return answer && unified.length > 0 ? [{ path: answer.path, answer, unified }] : [];
    });
}

/** `ups/rate/rate` of `ups/rate/unified_out.k-ParsedRateResponse.json` and of `ups/rate/response.k-RateResponseJSON.json`. */
function subjectOf({ path, kind }: Recording): string {
  const name = path.slice(path.lastIndexOf("/") + 1 + kind.length).replace(/\.\w+$/, "");
  const words = name.toLowerCase().replaceAll(/[^a-z0-9~]/g, "");
  const subject = words.replaceAll(/^k|parsed|response|xml|json/g, "").replace("rating", "rate");
  return `${path.slice(0, path.lastIndexOf("/"))}/${subject}`;
}

/** It has the result, one or many, and beside it the messages. */
function resultsIn({ bytes }: Recording): Unified[] {
  const [result] = JSON.parse(bytes.toString()) as [Unified | Unified[] | null];
  return [result ?? []].flat();
}

/** What the other project read and the adapter does not: numbers, prices before taxes, events by their codes, days. */
export function differencesOf(judge: Judge, { answer, unified }: Pair): string[] {
  const recorded = recordedAnswer(answer);
  const calling = judge.calling(answer, recorded);
  if (calling === null || "not_called" in calling) return [];
  const literals = calling.read(recorded);
  return [
    ...missing("tracking number", numbersIn(unified), textsIn(literals)),
    ...missing("price", unified.flatMap(priceOf), pricesIn(literals)),
    ...missing("event", [...new Set(eventsOf(unified))], eventCodesIn(literals)),
    ...missing(
      "expected day",
      unified.flatMap((each) => each.estimated_delivery ?? []),
      textsIn(literals),
    ),
  ];
}

function missing(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  return wanted.filter((each) => !found.includes(each)).map((each) => `${what} ${each}`);
}

function numbersIn(unified: readonly Unified[]): string[] {
  return unified.flatMap(({ tracking_number, events }) =>
    tracking_number !== undefined && events === undefined ? [tracking_number] : [],
  );
}

const tax = /^(GST|HST|PST|QST|TVA|VAT)\b/;

/** Before taxes, which are no part of a cost; each is listed once or, of several packages, more often. */
function priceOf({ total_charge, extra_charges, currency }: Unified): string[] {
  if (total_charge === undefined) return [];
  const taxes = new Map((extra_charges ?? []).map(({ name, amount }) => [name, amount] as const));
  const cents = [...taxes]
    .filter(([name]) => tax.test(name))
    .reduce((left, [, amount]) => left - (centsOf(String(amount)) ?? 0), inCents(total_charge));
  return [`${cents} ${currency}`];
}

function inCents(amount: number): number {
  return centsOf(amount.toFixed(2)) ?? Number.NaN;
}

function eventsOf(unified: readonly Unified[]): string[] {
  return unified.flatMap(({ events }) => (events ?? []).flatMap(({ code }) => code ?? []));
}

interface Priced {
  cost?: { amount_cents: number; currency: string } | null;
  base_cents?: number;
  surcharges?: { amount_cents: number }[];
}

/** The prices of all that an answer offers. One without a currency is in the carrier's own, whichever that is. */
function pricesIn(literals: unknown): string[] {
  return objectsIn(literals).flatMap((each) => {
    const { cost, base_cents, surcharges } = each as Priced;
    if (cost) return [`${cost.amount_cents} ${cost.currency}`];
    if (base_cents === undefined || !surcharges) return [];
    const cents = surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, base_cents);
    return [`${cents} CAD`, `${cents} USD`];
  });
}

function eventCodesIn(literals: unknown): string[] {
  return objectsIn(literals).flatMap(({ carrier_code }) =>
    typeof carrier_code === "string" ? [carrier_code] : [],
  );
}

function textsIn(literals: unknown): string[] {
  return objectsIn(literals)
    .flatMap((each) => Object.values(each).flat())
    .filter((each) => typeof each === "string");
}

/** All objects in it, at any depth. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return [];
  const own = value as Record<string, unknown>;
  return [own, ...Object.values(own).flatMap(objectsIn)];
}
