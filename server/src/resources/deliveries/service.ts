/** The parts of deliveries that webhooks use. */
export { refuseDisabled } from "./redeliver.ts";
export { Delivery } from "./schemas.ts";
export {
  deliveryColumns,
  getDelivery,
  lockWebhook,
  reopen,
  wakeWebhook,
  type DeliveryRow,
} from "./store.ts";
export { toDelivery } from "./view.ts";
