/** What other resources may use of shipments. */
export { palletToWinnipeg, parcelToMontreal } from "./examples.ts";
export {
  changeShipment,
  findLabelClaim,
  findShipment,
  getShipment,
  lockShipment,
  type ShipmentChange,
  type ShipmentRow,
} from "./store.ts";
export { moveShipment, sellShipments } from "./move-shipment.ts";
export { countShipmentsUpTo, listShipments } from "./list-store.ts";
export { claimForPurchase, type Sale } from "./purchase-store.ts";
export { carrierRefusal, isAboutUs } from "./carrier-refusal.ts";
export { toShipment } from "./view.ts";
export { alreadyLabelled, problemsOfStored, purchasePending } from "./update-shipment.ts";
export { readNewShipment, typeOf } from "./new-shipment.ts";
export { createOneShipment, createShipmentAnd, createShipmentToBuy } from "./create-shipments.ts";
export { bookVoid, labelVoid, voidShipment } from "./void-shipment.ts";
export { prepareVoid, takingBack, type VoidInput } from "./taking-back.ts";
export { approveRefund, refundLanes, rejectRefund } from "./refunds.ts";
export {
  AnyNewShipment,
  Cancelling,
  Document,
  NewLtlShipment,
  NewShipment,
  Shipment,
} from "./schemas.ts";
export { requirePathTypeScope, requireTypeScope } from "./type-scope.ts";
