import { Type, type Static } from "typebox";
import { NewPackage, WeightUnit, SizeUnit } from "../../domain/goods/parcel.ts";
import { Rate, RatesMeta } from "../../domain/pricing/rate.ts";
import { Country, Maybe, OneOf } from "../../domain/values/schema.ts";
import { NewLtlShipment, NewShipment } from "../../shipping/shipments/schemas.ts";

/** The request and response schemas of rates (spec 2.5, 2.6, 4.2; decision 7). */

export const Timeout = Type.Integer({
  minimum: 1,
  maximum: 25,
  description:
    "Seconds after which the carriers that have not answered are left out; when absent the server decides, 10 by default.",
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

/** The short body of `POST /rates/estimate`: a destination and a weight. */
export const EstimateRequest = Type.Object(
  {
    type: Maybe(OneOf(["courier"], { description: "Freight is estimated by a whole body." })),
    from_postal_code: Maybe(Type.String({ maxLength: 10 })),
    from_country_code: Maybe(Country()),
    to_postal_code: Maybe(
      Type.String({
        maxLength: 10,
        description: "Required in CA and US, where prices are by it.",
      }),
    ),
    to_country_code: Country(),
    to_province_code: Maybe(Type.String({ maxLength: 10 })),
    weight: NewPackage.properties.weight,
    weight_unit: WeightUnit,
    length: size,
    width: size,
    height: size,
    size_unit: Maybe(SizeUnit),
    timeout: Maybe(Timeout),
  },
  { $id: "EstimateRequest" },
);

export type EstimateRequest = Static<typeof EstimateRequest>;

export const RatesResponse = Type.Object(
  { data: Type.Array(Rate), meta: RatesMeta },
  { $id: "Rates" },
);
