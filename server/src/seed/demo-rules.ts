/**
 * The rules of the invented shop, for goods that only it has: what visitors try out in its account is not
 * changed by them.
 */
export const demoRules = [
  {
    name: "Large orders of kettles are looked after",
    priority: 10,
    trigger: "order.created",
    criteria: {
      match: "all",
      conditions: [
        { field: "items.title", operator: "eq", value: "Copper kettle" },
        { field: "order_total", operator: "gte", value: 200 },
      ],
    },
    actions: [{ type: "add_tag", tag: "vip" }],
  },
  {
    name: "Kettles are protected",
    priority: 20,
    trigger: "shipment.created",
    criteria: {
      match: "all",
      conditions: [{ field: "items.title", operator: "eq", value: "Copper kettle" }],
    },
    actions: [
      { type: "add_add_on", add_on: "protection" },
      { type: "add_tag", tag: "protected" },
    ],
  },
];
