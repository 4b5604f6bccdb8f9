/**
 * How freight carriers tell of what happens on the way: in the codes of the ANSI X12 214 message, segment AT7,
 * which the trade shares, and in words of their own.
 */
const codes = {
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

const tforceFreight = {
  announced: [codes.announced, "Bill of lading received"],
  voided: [codes.voided, "Shipment cancelled"],
  picked_up: [codes.picked_up, "Picked up"],
  departed: [codes.departed, "Departed service center"],
  arrived: [codes.arrived, "Arrived at service center"],
  customs: [codes.customs, "Arrived at customs"],
  out_for_delivery: [codes.out_for_delivery, "Out for delivery"],
  delivered: [codes.delivered, "Delivered"],
  attempted: [codes.attempted, "Delivery attempted; consignee closed"],
  held: [codes.held, "Held at service center for the consignee"],
  delayed: [codes.delayed, "Delayed by weather"],
  return_started: [codes.return_started, "Returning to shipper"],
  returned: [codes.returned, "Returned to shipper"],
} as const;

const dayRoss = {
  ...tforceFreight,
  announced: [codes.announced, "Order entered"],
  departed: [codes.departed, "Linehaul departed terminal"],
  arrived: [codes.arrived, "Linehaul arrived at terminal"],
  out_for_delivery: [codes.out_for_delivery, "With city driver for delivery"],
  held: [codes.held, "At terminal, ready for pickup by consignee"],
} as const;

const manitoulin = {
  ...tforceFreight,
  announced: [codes.announced, "Pickup booked"],
  picked_up: [codes.picked_up, "Picked up, probill assigned"],
  departed: [codes.departed, "Left terminal"],
  arrived: [codes.arrived, "Arrived at terminal"],
  held: [codes.held, "Waiting at terminal for consignee"],
} as const;

export const freightWordings = {
  tforce_freight: tforceFreight,
  day_ross: dayRoss,
  manitoulin,
} as const;
