import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../../domain/addresses/address.ts";
import { Metadata, Tags } from "../../domain/shipments/merchant-data.ts";
import { OrderStatus, OrderSource } from "../../domain/orders/order-status.ts";
import { Item, NewItem, NewPackage, Package } from "../../domain/goods/parcel.ts";
import {
  Annotated,
  Currency,
  Logged,
  Maybe,
  Moment,
  Money,
  Nullable,
  OneOf,
} from "../../domain/values/schema.ts";
import { AnyError } from "../../domain/error-answers/error-schemas.ts";
import { bulkResponses } from "../../http/bulk-responses.ts";
import { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";

/** The request and response schemas of orders (spec 2.11, decision 14). */

/** The buyer. The recipient is `to_address`. */
const NewCustomer = Type.Object(
  {
    name: Maybe(Type.String({ maxLength: 100 })),
    company: Maybe(Type.String({ maxLength: 100 })),
    email: Maybe(Type.String({ maxLength: 254 })),
    phone: Maybe(Type.String({ maxLength: 40 })),
    external_id: Maybe(Type.String({ maxLength: 100, description: "The shop's own id." })),
  },
  { $id: "NewCustomer" },
);
export type NewCustomer = Static<typeof NewCustomer>;

const amount = () => Maybe(Money({ minimum: 0, maximum: 1_000_000_000 }));

/** What the buyer paid, as stated by the shop: stored, never added up, since shops round differently. */
const NewTotals = Type.Object(
  {
    subtotal: amount(),
    shipping: amount(),
    discount: amount(),
    tax: amount(),
    total: amount(),
    currency: Maybe(Currency({ description: "The account's when absent." })),
  },
  { $id: "NewTotals" },
);
export type NewTotals = Static<typeof NewTotals>;

const OrderNumber = Type.String({
  minLength: 1,
  maxLength: 50,
  description: "The shop's own number, unique within its source.",
  examples: ["#1001"],
});

const Status = Annotated(OrderStatus, {
  description:
    "`on_hold` and `cancelled` can be set, and `unfulfilled` opens an order again; otherwise it is what the order's shipments say.",
});

const optional = {
  status: Maybe(Status),
  customer: Maybe(NewCustomer),
  from_address: Maybe(NewAddress),
  items: Maybe(Type.Array(NewItem, { maxItems: 500 })),
  packages: Maybe(Type.Array(NewPackage, { maxItems: 50 })),
  requested_service: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "What the buyer chose: a service of ours, cheapest, fastest or cheapest_tracked, or the shop's own words.",
    }),
  ),
  totals: Maybe(NewTotals),
  notes: Maybe(Type.String({ maxLength: 5000 })),
  tags: Maybe(Tags),
  placed_at: Maybe(Moment({ description: "When it was bought; now when absent." })),
  metadata: Maybe(Metadata),
};

/** One entry of `POST /orders`. */
export const NewOrder = Type.Object(
  {
    order_number: OrderNumber,
    source: Maybe(Annotated(OrderSource, { description: "`api` when absent." })),
    to_address: NewAddress,
    ...optional,
  },
  { $id: "NewOrder" },
);
export type NewOrder = Static<typeof NewOrder>;

/**
 * The body of `PUT /orders/{id}`: what is absent stays as it is; objects and lists are replaced as a whole.
 */
export const OrderChanges = Type.Object(
  {
    order_number: Type.Optional(OrderNumber),
    source: Type.Optional(OrderSource),
    to_address: Type.Optional(NewAddress),
    ...optional,
  },
  { $id: "OrderChanges" },
);
export type OrderChanges = Static<typeof OrderChanges>;

const text = Nullable(Type.String());

const Customer = Type.Object(
  { name: text, company: text, email: text, phone: text, external_id: text },
  { $id: "Customer" },
);
export type Customer = Static<typeof Customer>;

const OrderItem = Type.Object(
  {
    ...Item.properties,
    fulfilled_quantity: Type.Integer({
      description: "How much of it is on its way with a live label.",
    }),
  },
  { $id: "OrderItem" },
);

const { id: _id, tracking_code: _code, ...packageFields } = Package.properties;
const OrderPackage = Type.Object(packageFields, { $id: "OrderPackage" });

const Totals = Type.Object(
  {
    subtotal: Nullable(Money()),
    shipping: Nullable(Money()),
    discount: Nullable(Money()),
    tax: Nullable(Money()),
    total: Nullable(Money()),
    currency: Logged(Type.String(), "known"),
  },
  { $id: "Totals" },
);

const LinkedShipment = Type.Object(
  { id: Type.String(), status: ShipmentStatus },
  { $id: "LinkedShipment" },
);

export const Order = Type.Object(
  {
    id: Type.String({ examples: ["ord_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    order_number: Type.String(),
    source: OrderSource,
    status: OrderStatus,
    customer: Nullable(Customer),
    to_address: Address,
    from_address: Nullable(Address),
    items: Type.Array(OrderItem),
    packages: Type.Array(OrderPackage),
    requested_service: text,
    totals: Totals,
    notes: text,
    tags: Type.Array(Type.String()),
    placed_at: Moment(),
    shipments: Type.Array(LinkedShipment),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "Order" },
);
export type Order = Static<typeof Order>;

const OrderRowCreated = Type.Object(
  { index: Type.Integer(), status: OneOf(["created"]), data: Order },
  { $id: "OrderRowCreated" },
);

const OrderRowError = Type.Object(
  { index: Type.Integer(), status: OneOf(["error"]), order_number: text, error: AnyError },
  { $id: "OrderRowError" },
);

/** The responses of `POST /orders` to one entry, and to several. */
export const ordersCreated = bulkResponses("Order", {
  one: Order,
  created: OrderRowCreated,
  error: OrderRowError,
});
