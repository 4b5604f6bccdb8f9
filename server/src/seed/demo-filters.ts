/** The saved filters of the invented shop (decision 24): one for each kind of list, and one for both. */
export const demoFilters = [
  {
    name: "Gifts to the States",
    target: "shipments",
    criteria: {
      match: "all",
      conditions: [
        { field: "to_address.country_code", operator: "eq", value: "US" },
        { field: "tags", operator: "contains", value: "gift" },
      ],
    },
  },
  {
    name: "Large orders that wait",
    target: "orders",
    criteria: {
      match: "all",
      conditions: [
        { field: "status", operator: "in", value: ["unfulfilled", "on_hold"] },
        { field: "order_total", operator: "gte", value: 100 },
      ],
    },
  },
  {
    name: "Kettles in Québec",
    target: "both",
    criteria: {
      match: "all",
      conditions: [
        { field: "to_address.province_code", operator: "eq", value: "QC" },
        { field: "items.title", operator: "contains", value: "kettle" },
      ],
    },
  },
];
