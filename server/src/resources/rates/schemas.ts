import { Type, type Static } from "typebox";
import { NewPackage, sizeUnits, weightUnits } from "../../domain/parcel.ts";
import { Rate, RatesMeta } from "../../domain/rate.ts";
import { Country, Maybe, OneOf } from "../../domain/schema.ts";
import { NewLtlShipment, NewShipment } from "../shipments/service.ts";

/** Rates going in and coming out (spec 2.5, 2.6, 4.2; decision 7). */

export const Timeout = Type.Integer({
  minimum: 1,
  maximum: 25,
  description: "Seconds after which the carriers that have not answered are left out.",
});

/** The body of `POST /rates`: a shipment that is not created. */
export const RatesRequest = Type.Object(
  { ...NewShipment.properties, timeout: Maybe(Timeout) },
  { $id: "RatesRequest" },
);

/** The same for freight. */
export const LtlRatesRequest = Type.Object(
  { ...NewLtlShipment.properties, timeout: Maybe(Timeout) },
  { $id: "LtlRatesRequest" },
);

const size = Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }));

/** The short body of `POST /rates/estimate`: two postal codes and a weight. */
export const EstimateRequest = Type.Object(
  {
    from_postal_code: Maybe(Type.String({ maxLength: 10 })),
    from_country_code: Maybe(Country()),
    to_postal_code: Type.String({ minLength: 1, maxLength: 10 }),
    to_country_code: Country(),
    to_province_code: Maybe(Type.String({ maxLength: 10 })),
    weight: NewPackage.properties.weight,
    weight_unit: OneOf(weightUnits),
    length: size,
    width: size,
    height: size,
    size_unit: Maybe(OneOf(sizeUnits)),
    timeout: Maybe(Timeout),
  },
  { $id: "EstimateRequest" },
);

export type EstimateRequest = Static<typeof EstimateRequest>;

export const RatesAnswer = Type.Object({ data: Type.Array(Rate), meta: RatesMeta });
