/** Rules for the document's examples, realistic enough to be copied. */

const dearAndFar = {
  name: "Protect what is dear",
  priority: 10,
  trigger: "shipment.created",
  criteria: {
    match: "all",
    conditions: [
      { field: "declared_value", operator: "gte", value: 100 },
      { field: "is_international", operator: "eq", value: false },
    ],
  },
  actions: [
    { type: "add_add_on", add_on: "protection" },
    { type: "add_tag", tag: "protected" },
  ],
};

export const examples = {
  dear: dearAndFar,
  new: {
    "Protection for expensive goods": dearAndFar,
    "The cheapest service, into tonight's batch": {
      name: "Small orders go tonight",
      trigger: "order.created",
      criteria: {
        match: "all",
        conditions: [{ field: "total_weight", operator: "lt", value: { value: 2, unit: "kg" } }],
      },
      actions: [
        { type: "set_service", strategy: "cheapest_tracked", max_total: 20 },
        { type: "add_to_batch", name: "Tonight" },
      ],
    },
    "Hold for manual review": {
      name: "Look at freight first",
      trigger: "shipment.created",
      criteria: {
        match: "all",
        conditions: [{ field: "type", operator: "eq", value: "ltl" }],
      },
      actions: [{ type: "hold" }],
      stop_processing: true,
    },
  },
  replacement: {
    "All of it": { ...dearAndFar, enabled: false, stop_processing: false },
  },
};
