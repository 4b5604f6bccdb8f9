/**
 * How freight carriers report events in transit: in the codes of the ANSI X12 214 message, segment AT7, which
 * the trade shares, and in texts of their own.
 */
export const x12Codes = {
  announced: "XB",
  voided: "CA",
  picked_up: "AF",
  departed: "P1",
  arrived: "X4",
  customs: "K1",
  out_for_delivery: "X6",
  delivered: "D1",
  attempted: "AP",
  held: "AV",
  delayed: "SD",
  return_started: "A3",
  returned: "A3",
} as const;

/** The texts that freight carriers have in common. */
export const freightEvents = {
  announced: [x12Codes.announced, "Bill of lading received"],
  voided: [x12Codes.voided, "Shipment cancelled"],
  picked_up: [x12Codes.picked_up, "Picked up"],
  departed: [x12Codes.departed, "Departed service center"],
  arrived: [x12Codes.arrived, "Arrived at service center"],
  customs: [x12Codes.customs, "Arrived at customs"],
  out_for_delivery: [x12Codes.out_for_delivery, "Out for delivery"],
  delivered: [x12Codes.delivered, "Delivered"],
  attempted: [x12Codes.attempted, "Delivery attempted; consignee closed"],
  held: [x12Codes.held, "Held at service center for the consignee"],
  delayed: [x12Codes.delayed, "Delayed by weather"],
  return_started: [x12Codes.return_started, "Returning to shipper"],
  returned: [x12Codes.returned, "Returned to shipper"],
} as const;
