/** An order for the document's examples: complete, valid, ready to become a shipment. */
export const orderFromShop = {
  order_number: "#1001",
  source: "shopify",
  customer: { name: "Amélie Tremblay", email: "amelie@example.com", external_id: "207119551" },
  to_address: {
    name: "Amélie Tremblay",
    address1: "275 Rue Notre-Dame Est",
    city: "Montréal",
    province_code: "QC",
    postal_code: "H2Y 1C6",
    country_code: "CA",
  },
  items: [{ sku: "MUG-4", title: "Stoneware mug, set of four", quantity: 2, value: 52 }],
  packages: [
    { weight: 3.6, weight_unit: "kg", length: 40, width: 30, height: 20, size_unit: "cm" },
  ],
  requested_service: "Standard Shipping",
  totals: { subtotal: 104, shipping: 12.5, tax: 17.45, total: 133.95, currency: "CAD" },
  notes: "Please leave at the side door.",
  tags: ["gift"],
  placed_at: "2026-10-05T14:03:22.120Z",
};
