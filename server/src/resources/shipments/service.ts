/** What other resources may use of shipments. */
export { parcelToMontreal } from "./examples.ts";
export {
  findLabelClaim,
  getShipment,
  moveShipment,
  packagesWithCodes,
  type ShipmentRow,
} from "./store.ts";
export { carrierRefusal } from "./carrier-refusal.ts";
export { toShipment } from "./view.ts";
export { alreadyLabelled, problemsOfStored, purchasePending } from "./update-shipment.ts";
export { readNewShipment, strategies } from "./new-shipment.ts";
export { createOneShipment } from "./create-shipments.ts";
export { bookVoid, labelVoid, voidShipment } from "./void-shipment.ts";
export { resolveRefunds } from "./refunds.ts";
export { Document, NewShipment } from "./schemas.ts";
