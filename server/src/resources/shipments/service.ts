/** What other resources may use of shipments. */
export { parcelToMontreal } from "./examples.ts";
export {
  changeShipment,
  findLabelClaim,
  findShipments,
  getShipment,
  lockShipment,
  packagesWithCodes,
  type ShipmentRow,
} from "./store.ts";
export { moveShipment } from "./move-shipment.ts";
export { carrierRefusal, isAboutUs } from "./carrier-refusal.ts";
export { toShipment } from "./view.ts";
export { alreadyLabelled, problemsOfStored, purchasePending } from "./update-shipment.ts";
export { readNewShipment, strategies } from "./new-shipment.ts";
export { createOneShipment, createShipmentAnd } from "./create-shipments.ts";
export { bookVoid, labelVoid, voidShipment } from "./void-shipment.ts";
export { rejectRefund, resolveRefunds } from "./refunds.ts";
export { BulkMeta, Document, NewShipment, Shipment } from "./schemas.ts";
