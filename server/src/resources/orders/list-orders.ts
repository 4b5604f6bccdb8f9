import { Type, type Static } from "typebox";
import { orderSources, orderStatuses } from "../../domain/orders/order-status.ts";
import { DayOrMoment, endOf, startOf } from "../../domain/time/day-or-moment.ts";
import { CommaSeparated } from "../../domain/values/schema.ts";
import type { ListFilter } from "../../shipping/filters/list-filter.ts";

/** The filters of `GET /orders` (decision 14). `status` and `source` are comma-separated lists. */
export const OrderFilterQuery = Type.Object({
  status: Type.Optional(
    CommaSeparated(orderStatuses, {
      examples: ["unfulfilled,on_hold"],
    }),
  ),
  order_number: Type.Optional(
    Type.String({ maxLength: 50, description: "The shop's own number, whole." }),
  ),
  source: Type.Optional(CommaSeparated(orderSources)),
  tag: Type.Optional(Type.String({ maxLength: 50, description: "A tag that it has." })),
  from_date: Type.Optional(
    DayOrMoment({ description: "Placed from this day (UTC) or moment on." }),
  ),
  to_date: Type.Optional(
    DayOrMoment({ description: "Placed up to this moment, or to the end of this day (UTC)." }),
  ),
  filter_id: Type.Optional(
    Type.String({ maxLength: 100, description: "A saved filter's id; it adds to the others." }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "An id, or the start of an order number, a recipient's name, its last word or a customer's email. Case and accents of names do not count.",
    }),
  ),
});

export interface OrderFilters {
  status?: string[];
  order_number?: string;
  source?: string[];
  tag?: string;
  from_date?: Date;
  to_date?: Date;
  q?: string;
  /** The criteria of `filter_id`. */
  saved?: ListFilter;
}

export function readFilters(query: Static<typeof OrderFilterQuery>): OrderFilters {
  const { status, from_date, to_date, order_number, source, tag, q } = query;
  return {
    order_number,
    tag,
    q,
    ...(status ? { status: status.split(",") } : {}),
    ...(source ? { source: source.split(",") } : {}),
    ...(from_date ? { from_date: startOf(from_date) } : {}),
    ...(to_date ? { to_date: endOf(to_date) } : {}),
  };
}
