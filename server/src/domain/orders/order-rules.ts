import type { NewAddress } from "../addresses/address.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import type { OrderItem } from "./fulfilment.ts";
import type { NewItem, NewPackage, Package } from "../goods/parcel.ts";
import {
  addAll,
  addCustomsProblems,
  normaliseItem,
  normalisePackage,
  packageProblems,
  partyProblems,
  rows,
} from "../shipments/shipment-rules.ts";
import { cleanText } from "../text/text.ts";

/** The rules of an order beyond its structure (decision 14). */

interface OrderParts {
  order_number?: string;
  to_address: NewAddress;
  from_address?: NewAddress | null;
  items?: readonly NewItem[] | null;
  packages?: readonly NewPackage[] | null;
}

/**
 * All problems of an order, by dotted path. Addresses and lines obey the rules of shipments, but customs
 * data may be added later: an order is what was bought, not yet what is sent.
 */
export function orderProblems(order: OrderParts): Problems {
  const problems = partyProblems(order);
  rows(order.packages).forEach((row, index) =>
    addAll(problems, `packages.${index}`, packageProblems(row)),
  );
  addCustomsProblems(problems, order, "quote");
  const { order_number } = order;
  if (typeof order_number === "string" && cleanText(order_number) === null)
    addProblem(problems, "order_number", "must not be blank.");
  return problems;
}

/** A parcel that an order will be packed in: it belongs to no shipment yet, so it has no id. */
export type OrderPackage = Omit<Package, "id" | "tracking_code">;

export function normaliseOrderPackage(input: NewPackage): OrderPackage {
  const { id: _id, tracking_code: _code, ...kept } = normalisePackage(input, "");
  return kept;
}

export function normaliseOrderItem(input: NewItem, currency: string): OrderItem {
  return { ...normaliseItem(input, currency), fulfilled_quantity: 0 };
}
