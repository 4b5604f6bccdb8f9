import { Type } from "typebox";
import { Order } from "../orders/service.ts";
import { Shipment } from "../../shipping/shipments/schemas.ts";

/** The response of a preview: apart from the other schemas, because orders and shipments use filters. */
export const Previewed = Type.Object(
  {
    count: Type.Integer({
      description: "How many match; of a kind no more than 10,000 are counted.",
    }),
    count_capped: Type.Boolean({ description: "Whether there are more than those counted." }),
    orders: Type.Array(Order, { description: "The newest that match; none for shipments alone." }),
    shipments: Type.Array(Shipment, {
      description: "The newest that match; none for orders alone.",
    }),
  },
  { $id: "PreviewedFilter" },
);
