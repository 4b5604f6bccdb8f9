import { Type, type Static } from "typebox";
import type { Context } from "../../context.ts";
import { EventType } from "../../domain/events/catalogue.ts";
import { deliveryStatuses, type DeliveryStatus } from "../../domain/events/webhook-states.ts";
import { DayOrMoment, startOf } from "../../domain/time/day-or-moment.ts";
import { Annotated, CommaSeparated } from "../../domain/values/schema.ts";
import type { ListSource } from "../../http/paging.ts";
import { toDelivery, type Delivery, type DeliveryRow } from "../deliveries/service.ts";
import * as store from "./store.ts";

/** The filters of `GET /webhooks/{webhook_id}/deliveries`. */
export const DeliveryFilterQuery = Type.Object({
  status: Type.Optional(CommaSeparated(deliveryStatuses, { examples: ["failed,cancelled"] })),
  type: Type.Optional(Annotated(EventType, { description: "Of events of this type." })),
  event_id: Type.Optional(Type.String({ maxLength: 100, description: "Of this event." })),
  from_date: Type.Optional(
    DayOrMoment({ description: "Created from this day (UTC) or moment on." }),
  ),
});

/** Throws 404 for a webhook that the account does not have. */
export async function deliveriesOf(
  { db, account: { account_id } }: Context,
  webhook_id: string,
  query: Static<typeof DeliveryFilterQuery>,
): Promise<ListSource<DeliveryRow, Static<typeof Delivery>>> {
  await store.getWebhook(db, account_id, webhook_id);
  const { status, type, event_id, from_date } = query;
  const filters: store.DeliveryFilters = {
    ...(status === undefined ? {} : { status: status.split(",") as DeliveryStatus[] }),
    ...(type === undefined ? {} : { type }),
    ...(event_id === undefined ? {} : { event_id }),
    ...(from_date === undefined ? {} : { from_date: startOf(from_date) }),
  };
  const asked = { account_id, webhook_id, filters };
  return {
    rows: (page) => store.listDeliveries(db, asked, page),
    count: (most) => store.countDeliveries(db, asked, most),
    show: toDelivery,
  };
}
