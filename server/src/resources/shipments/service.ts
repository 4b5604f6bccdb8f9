/** The parts of shipments that other resources may use. */
export { createOneShipment, createShipmentAnd, createShipmentToBuy } from "./create-shipments.ts";
export { countShipmentsUpTo, listShipments } from "./list-store.ts";
export { updateShipment } from "./update-shipment.ts";
export { bookVoid, labelVoid, voidShipment } from "./void-shipment.ts";
