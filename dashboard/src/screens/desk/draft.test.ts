import { expect, test } from "vitest";
import { withPreferences } from "./preferred.ts";
import { crossesBorder, draftOfOrder, isQuotable, newDraft, toShipment } from "./draft.ts";

const terms = { home: "CA", currency: "CAD" };
const to = {
  ...newDraft().to,
  name: "Amélie",
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  postal_code: "H2Y 1C6",
};

test("carriers are asked once there is a place and a weight for each parcel", () => {
  const [parcel] = newDraft().parcels;
  expect(isQuotable({ ...newDraft(), to })).toBe(false);
  expect(isQuotable({ ...newDraft(), to, parcels: [{ ...parcel!, weight: 2 }] })).toBe(true);
  expect(
    isQuotable({
      ...newDraft(),
      to: { ...to, postal_code: "" },
      parcels: [{ ...parcel!, weight: 2 }],
    }),
  ).toBe(false);
});

test("what is left empty is not sent, and goods are sent only over a border", () => {
  const [parcel] = newDraft().parcels;
  const draft = { ...newDraft(), to, parcels: [{ ...parcel!, weight: 2 }] };
  expect(toShipment(withPreferences(draft, undefined), terms)).toEqual({
    to_address: {
      name: "Amélie",
      address1: "275 Rue Notre-Dame Est",
      city: "Montréal",
      postal_code: "H2Y 1C6",
      country_code: "CA",
      is_residential: true,
    },
    packages: [{ weight: 2, weight_unit: "kg", package_type: "parcel" }],
    label_size: "4x6",
  });
  const abroad = { ...draft, to: { ...to, country_code: "US" } };
  expect(crossesBorder(abroad, "CA")).toBe(true);
  expect(toShipment(withPreferences(abroad, undefined), terms)).toMatchObject({
    items: [],
    contents_type: "merchandise",
    incoterm: "DDU",
  });
});

test("what was not chosen here is as the account prefers it, and what was chosen stays", () => {
  const [parcel] = newDraft().parcels;
  const abroad = { ...newDraft(), to: { ...to, country_code: "US" }, parcels: [parcel!] };
  const preferences = {
    label_format: null,
    label_size: "letter" as const,
    contents_type: "gift" as const,
    incoterm: "DDP" as const,
    add_ons: ["signature" as const],
    auto_classify: true,
    auto_approve_confidence: null,
    low_balance_threshold: null,
    auto_recharge: null,
    package_preset_id: null,
  };
  const { label_size, contents_type, incoterm, add_ons } = preferences;
  expect(toShipment(withPreferences(abroad, preferences), terms)).toMatchObject({
    label_size,
    contents_type,
    incoterm,
    add_ons,
  });
  const chosen = { label_size: "4x6" as const, incoterm: "DDU" as const, add_ons: [] };
  expect(toShipment(withPreferences({ ...abroad, ...chosen }, preferences), terms)).toMatchObject({
    ...chosen,
    contents_type,
  });
});

test("an order is loaded with what of it is still to be shipped", () => {
  const item = {
    title: "Mug",
    quantity: 3,
    fulfilled_quantity: 1,
    value: 20,
    country_of_origin: "CA",
    hs_code: null,
    sku: "MUG",
  };
  const order = {
    id: "ord_1",
    order_number: "MP-1",
    to_address: to,
    items: [item, { ...item, title: "Plate", fulfilled_quantity: 3 }],
    packages: [],
  };
  const draft = draftOfOrder(order);
  expect(draft.items.map(({ title, quantity }) => [title, quantity])).toEqual([["Mug", 2]]);
  expect(toShipment(withPreferences(draft, undefined), terms)).toMatchObject({
    order_id: "ord_1",
    reference: "MP-1",
  });
});
