/** What other resources may use of pickups. It needs nothing of theirs: shipments use it. */
export { followShipment, lockPickupOf } from "./membership.ts";
