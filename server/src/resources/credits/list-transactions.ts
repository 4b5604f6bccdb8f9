import { Type, type Static } from "typebox";
import { DayOrMoment, endOf, startOf } from "../../domain/time/day-or-moment.ts";
import { toCents } from "../../domain/values/money.ts";
import { CommaSeparated, Money } from "../../domain/values/schema.ts";
import { transactionTypes } from "./schemas.ts";

/** Which transactions a list shows: all of those that match every parameter. */
export const TransactionFilterQuery = Type.Object({
  type: Type.Optional(CommaSeparated(transactionTypes)),
  created_from: Type.Optional(DayOrMoment({ description: "From this day (UTC) or moment on." })),
  created_to: Type.Optional(
    DayOrMoment({ description: "Up to this moment, or to the end of this day (UTC)." }),
  ),
  shipment_id: Type.Optional(Type.String({ maxLength: 100 })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Part of the description, a transaction's id or a shipment's.",
    }),
  ),
  min: Type.Optional(Money({ description: "The least `amount`; those of labels are negative." })),
  max: Type.Optional(Money({ description: "The largest `amount`." })),
});

export interface TransactionFilters {
  types?: string[];
  created_from?: Date;
  created_to?: Date;
  shipment_id?: string;
  q?: string;
  min_cents?: number;
  max_cents?: number;
}

export function readFilters(query: Static<typeof TransactionFilterQuery>): TransactionFilters {
  const { type, created_from, created_to, shipment_id, q, min, max } = query;
  return {
    ...(type === undefined ? {} : { types: type.split(",") }),
    ...(created_from === undefined ? {} : { created_from: startOf(created_from) }),
    ...(created_to === undefined ? {} : { created_to: endOf(created_to) }),
    ...(shipment_id === undefined ? {} : { shipment_id }),
    ...(q === undefined ? {} : { q }),
    ...(min === undefined ? {} : { min_cents: toCents(min) }),
    ...(max === undefined ? {} : { max_cents: toCents(max) }),
  };
}
