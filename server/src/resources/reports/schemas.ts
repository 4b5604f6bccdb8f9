import { Type, type Static } from "typebox";
import { DateOnly } from "../../domain/pricing/rate.ts";
import { Logged, Money, Nullable, OneOf } from "../../domain/values/schema.ts";

/** The request and response schemas of reports. */

export const groupings = ["day", "week", "month", "carrier", "service", "province"] as const;

export const ShippingReportQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      format: "date",
      description: "The first day, in the account's time zone; 29 days before `to` when absent.",
    }),
  ),
  to: Type.Optional(
    Type.String({ format: "date", description: "The last day, included; today when absent." }),
  ),
  group_by: Type.Optional(
    OneOf(groupings, {
      $id: "ReportGrouping",
      description:
        "`day` when absent. A week is named by its Monday, a month by its first day, a province as `CA-ON`.",
    }),
  ),
});

const sums = {
  shipments: Type.Integer({ description: "Labels and bookings that were paid for." }),
  voided: Type.Integer({ description: "Those of them that were voided or cancelled since." }),
  subtotal: Money({ description: "What was debited less what was refunded in the time." }),
  tax: Money(),
  total: Money(),
  average_total: Nullable(Money({ description: "`total` by shipments; null without any." })),
  delivered: Type.Integer(),
  on_time_rate: Nullable(
    Type.Number({ description: "Of those delivered that had an estimate; 0 to 1." }),
  ),
  transit_days_p50: Nullable(Type.Number({ description: "From purchase to delivery." })),
};

export const ReportRow = Type.Object({ key: Type.String(), ...sums }, { $id: "ReportRow" });
export type ReportRow = Static<typeof ReportRow>;

export const ShippingReport = Type.Object(
  {
    data: Type.Array(ReportRow),
    meta: Type.Object(
      {
        from: DateOnly,
        to: DateOnly,
        group_by: OneOf(groupings),
        time_zone: Type.String(),
        currency: Logged(Type.String(), "known"),
        totals: Type.Object(sums, { $id: "ReportTotals" }),
      },
      { $id: "ShippingReportMeta" },
    ),
  },
  { $id: "ShippingReport" },
);
export type ShippingReport = Static<typeof ShippingReport>;
