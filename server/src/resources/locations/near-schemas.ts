import { Type, type Static } from "typebox";
import { ExclusionReason } from "../../domain/pricing/rate.ts";
import { Country, Logged, Nullable } from "../../domain/values/schema.ts";

/** The request and response schemas of places that carriers are asked for. */

/** The filters of `GET /locations/near`. */
export const NearQuery = Type.Object({
  postal_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: "Where places are looked for; at the account's default sender when absent.",
      examples: ["M5V 3L9"],
    }),
  ),
  country_code: Type.Optional(
    Country({ description: "Of the postal code, which tells Canada's from the United States'." }),
  ),
  city: Type.Optional(
    Type.String({ minLength: 1, maxLength: 35, description: "Some carriers find more with it." }),
  ),
  carrier: Type.Optional(
    Type.String({ maxLength: 50, description: "A carrier's code; all that can be asked else." }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      description: "Places of each carrier; 10 by default.",
    }),
  ),
});
export type NearQuery = Static<typeof NearQuery>;

const text = Nullable(Type.String());

const CarrierPlace = Type.Object(
  {
    carrier: Logged(Type.String({ description: "The carrier's code." }), "known"),
    carrier_location_id: Type.String({ description: "The carrier's own id of the place." }),
    name: Type.String(),
    address: Type.Object(
      {
        address1: Type.String(),
        address2: text,
        city: Type.String(),
        province_code: text,
        postal_code: text,
        country_code: Type.String(),
      },
      { $id: "PlaceAddress" },
    ),
    distance_km: Nullable(Type.Number({ description: "Null where the carrier does not say." })),
  },
  { $id: "CarrierPlace" },
);
export type CarrierPlace = Static<typeof CarrierPlace>;

const ExcludedCarrier = Type.Object(
  {
    carrier: Logged(Type.String({ description: "The carrier's code." }), "known"),
    reason: ExclusionReason,
    message: Type.String(),
    retryable: Type.Boolean({ description: "Whether the same request may succeed soon." }),
  },
  { $id: "ExcludedCarrier" },
);
export type ExcludedCarrier = Static<typeof ExcludedCarrier>;

export const NearPlaces = Type.Object(
  {
    data: Type.Array(CarrierPlace, { description: "The nearest first." }),
    meta: Type.Object(
      {
        timeout_seconds: Type.Integer(),
        excluded_carriers: Type.Array(ExcludedCarrier, {
          description: "That were asked and gave none, and why.",
        }),
      },
      { $id: "NearPlacesMeta" },
    ),
  },
  { $id: "NearPlaces" },
);
export type NearPlaces = Static<typeof NearPlaces>;
