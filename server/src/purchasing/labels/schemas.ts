import { Type, type Static } from "typebox";
import { MoneyBreakdown, Rate, RateExchange, AddOnCode } from "../../domain/pricing/rate.ts";
import { Annotated, Logged, Maybe, Money, Nullable } from "../../domain/values/schema.ts";
import { Document, LabelStatus } from "../../shipping/shipments/schemas.ts";
import { LabelFormat, LabelSize } from "../../domain/shipments/shipment-enums.ts";

export const BuyLabel = Type.Object(
  {
    service: Maybe(
      Logged(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: "A rate's `service`, or cheapest, fastest, cheapest_tracked.",
        }),
        "known",
      ),
    ),
    rate_id: Maybe(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          "In place of `service`: a rate of `GET /rates/{shipment_id}`, or of `POST /rates` for the same shipment data (else 409 rate_changed).",
      }),
    ),
    add_ons: Maybe(Type.Array(AddOnCode, { uniqueItems: true })),
    label_format: Maybe(LabelFormat, { description: "The shipment's when absent, else pdf." }),
    label_size: Maybe(LabelSize, { description: "The shipment's when absent, else 4x6." }),
    expected_total: Maybe(
      Money({
        minimum: 0,
        description:
          "A more expensive purchase is refused with rate_changed. With the `total` of that refusal it is bought at the carrier's new price.",
      }),
    ),
  },
  { $id: "BuyLabel" },
);
export type BuyLabel = Static<typeof BuyLabel>;

const text = Nullable(Type.String());
const ours = Nullable(Logged(Type.String()));

export const Purchase = Type.Object(
  {
    shipment_id: Type.String(),
    ship_code: Logged(Type.String()),
    label_url: text,
    label_status: Nullable(LabelStatus),
    label_format: Nullable(Type.Unsafe<string>(LabelFormat)),
    tracking_code: ours,
    tracking_url: text,
    confirmation_number: ours,
    bol_number: ours,
    pro_number: ours,
    documents: Type.Array(Document),
    rate: Rate,
    exchange: Annotated(Nullable(RateExchange), {
      description: "The rate's: by what the carrier's price became the account's.",
    }),
    cost: Nullable(MoneyBreakdown),
    transaction_id: Type.String(),
    balance_after: Money(),
  },
  { $id: "Purchase" },
);
