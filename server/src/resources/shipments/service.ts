/** What other resources may use of shipments. */
export { palletToWinnipeg, parcelToMontreal } from "./examples.ts";
export {
  changeShipment,
  countShipmentsUpTo,
  findLabelClaim,
  listShipments,
  getShipment,
  lockShipment,
  type ShipmentChange,
  type ShipmentRow,
} from "./store.ts";
export { moveShipment, sellShipments } from "./move-shipment.ts";
export { claimForPurchase, isLostRace, type Sale } from "./purchase-store.ts";
export { carrierRefusal, isAboutUs } from "./carrier-refusal.ts";
export { toShipment } from "./view.ts";
export { alreadyLabelled, problemsOfStored, purchasePending } from "./update-shipment.ts";
export { readNewShipment, typeOf } from "./new-shipment.ts";
export { createOneShipment, createShipmentAnd } from "./create-shipments.ts";
export { bookVoid, labelVoid, voidShipment } from "./void-shipment.ts";
export { prepareVoid, takingBack, type VoidInput } from "./taking-back.ts";
export { approveRefund, rejectRefund, resolveRefunds } from "./refunds.ts";
export { BulkMeta, Document, NewLtlShipment, NewShipment, Shipment } from "./schemas.ts";
export { requirePathTypeScope, requireTypeScope } from "./type-scope.ts";
