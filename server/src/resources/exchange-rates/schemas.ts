import { Type, type Static } from "typebox";
import { rateMax, rateMin } from "../../domain/values/exchange.ts";
import { DateOnly } from "../../domain/pricing/rate.ts";
import { Currency, Moment, OneOf } from "../../domain/values/schema.ts";

/** The operator's exchange rates. */

const rateSources = ["manual", "bank_of_canada", "csv"] as const;

export const NewExchangeRate = Type.Object({
  base: Currency(),
  quote: Currency(),
  rate: Type.Number({ minimum: rateMin, maximum: rateMax }),
  valid_from: DateOnly,
});
export type NewExchangeRate = Static<typeof NewExchangeRate>;

export const ExchangeRate = Type.Object({
  id: Type.String(),
  base: Type.String(),
  quote: Type.String(),
  rate: Type.Number({ description: "So many of `quote` for one of `base`." }),
  valid_from: DateOnly,
  source: OneOf(rateSources),
  created_at: Moment(),
  updated_at: Moment(),
});
export type ExchangeRate = Static<typeof ExchangeRate>;

export const ExchangeImport = Type.Object({
  format: OneOf(["bank_of_canada", "csv"]),
  content: Type.String({ minLength: 1, description: "The file as text." }),
});
export type ExchangeImport = Static<typeof ExchangeImport>;

export const ExchangeImported = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer({ description: "Rates of a pair and day that were replaced by others." }),
  unchanged: Type.Integer(),
  first_day: DateOnly,
  last_day: DateOnly,
});
