import { fromCents, type Cents } from "../values/money.ts";
import { causeOf, type Begun, type Originator } from "./cause.ts";
import type { Cause, Position } from "./entry.ts";

/** What the sentences of a timeline need beside the row that they are about. */
export interface DescriptionContext {
  begun: Begun;
  /** The name of a carrier by its code. */
  nameOf(carrier: string): string;
  currency: string;
}

/** What every row that is told of has. */
export interface DescribedRow extends Position, Originator {}

/** Who began it: the fields of an entry. */
export function origin(
  { actor, request_id }: Originator,
  { begun }: DescriptionContext,
  in_background = true,
): { request_id: string | null; cause: Cause | null } {
  return { request_id, cause: causeOf({ actor, request_id }, begun, in_background) };
}

/** `14.87 CAD`. */
export function amountOf(cents: Cents, currency: string): string {
  return `${fromCents(cents).toFixed(2)} ${currency}`;
}

/** `1 shipment`, `2 shipments`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
