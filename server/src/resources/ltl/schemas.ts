import { Type } from "typebox";
import { Money, OneOf } from "../../domain/values/schema.ts";
import { Shipment } from "../../shipping/shipments/schemas.ts";

const Cancellation = Type.Object(
  {
    status: OneOf(["cancelled"]),
    carrier_confirmation: Type.String({ description: "The carrier's number of the cancellation." }),
    fee: Money({ description: "What the carrier keeps; the rest of the total is refunded." }),
  },
  { $id: "Cancellation" },
);

/** The response of cancelling a booking: the shipment, and the carrier's confirmation. */
export const CancelledBooking = Type.Object(
  { shipment: Shipment, cancellation: Cancellation },
  { $id: "CancelledBooking" },
);
