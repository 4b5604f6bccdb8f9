import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { shipped, showOrder, type Order } from "../orders.ts";
import { ottawa } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Shops' orders can be sent as orders without losing data that is needed to ship them (decision 14). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

/** In the shape of Shopify's Admin API: amounts as texts, tags in one text, empty fields as null. */
const fromShopify = {
  id: 5_107_884_621_003,
  name: "#1042",
  email: "noor@example.com",
  created_at: "2026-10-04T22:15:09-04:00",
  currency: "CAD",
  note: null,
  tags: "wholesale, first order",
  total_price: "181.59",
  subtotal_price: "150.00",
  total_tax: "21.59",
  total_discounts: "0.00",
  total_shipping_price_set: { shop_money: { amount: "10.00", currency_code: "CAD" } },
  customer: { id: 7_001_442, first_name: "Noor", last_name: "El-Amin", phone: "+1 613-555-0170" },
  shipping_lines: [{ title: "Expedited (2–4 business days)", code: "Expedited", price: "10.00" }],
  shipping_address: {
    first_name: "Noor",
    last_name: "El-Amin",
    name: "Noor El-Amin",
    company: null,
    address1: "453 West 12th Avenue",
    address2: "",
    city: "Vancouver",
    zip: "V5Y1V4",
    province_code: "BC",
    country_code: "CA",
    phone: "604-555-0119",
  },
  line_items: [
    { id: 1, sku: "LAMP-OAK", name: "Oak lamp - Large", quantity: 1, price: "110.00", grams: 2300 },
    { id: 2, sku: null, name: "Gift wrapping – “blue”", quantity: 2, price: "20.00", grams: 0 },
  ],
};

function ofShopify(shop: typeof fromShopify): object {
  const { shipping_address: to, customer } = shop;
  return {
    order_number: shop.name,
    source: "shopify",
    customer: {
      name: `${customer.first_name} ${customer.last_name}`,
      email: shop.email,
      phone: customer.phone,
      external_id: String(customer.id),
    },
    to_address: {
      name: to.name,
      company: to.company,
      address1: to.address1,
      address2: to.address2,
      city: to.city,
      province_code: to.province_code,
      postal_code: to.zip,
      country_code: to.country_code,
      phone: to.phone,
    },
    items: shop.line_items.map(({ sku, name, quantity, price, grams }) => ({
      sku,
      title: name,
      quantity,
      value: Number(price),
      ...(grams > 0 ? { weight: grams, weight_unit: "g" } : {}),
    })),
    requested_service: shop.shipping_lines[0]?.title,
    totals: {
      subtotal: Number(shop.subtotal_price),
      shipping: Number(shop.total_shipping_price_set.shop_money.amount),
      discount: Number(shop.total_discounts),
      tax: Number(shop.total_tax),
      total: Number(shop.total_price),
      currency: shop.currency,
    },
    notes: shop.note,
    tags: shop.tags.split(", "),
    placed_at: shop.created_at,
    metadata: { shopify_id: shop.id },
  };
}

/** In the shape of WooCommerce's REST API: empty fields as an empty text, local times beside GMT ones. */
const fromWoo = {
  id: 816,
  number: "816",
  currency: "USD",
  date_created_gmt: "2026-10-03T09:12:44",
  discount_total: "5.00",
  shipping_total: "12.00",
  total: "55.85",
  total_tax: "3.85",
  customer_id: 0,
  customer_note: "Ring twice",
  billing: {
    first_name: "Marcus",
    last_name: "Hale",
    company: "",
    email: "marcus@example.com",
    phone: "617-555-0188",
  },
  shipping: {
    first_name: "Marcus",
    last_name: "Hale",
    company: "",
    address_1: "700 Boylston Street",
    address_2: "",
    city: "Boston",
    state: "MA",
    postcode: "02116",
    country: "US",
  },
  line_items: [
    { id: 9, name: "Tea towel &ndash; Linen", sku: "", quantity: 3, price: 15, total: "45.00" },
  ],
  shipping_lines: [{ method_title: "Flat rate", method_id: "flat_rate", total: "12.00" }],
};

function ofWoo(shop: typeof fromWoo): object {
  const { billing, shipping } = shop;
  const name = `${shipping.first_name} ${shipping.last_name}`;
  return {
    order_number: shop.number,
    source: "woocommerce",
    customer: { name, email: billing.email, phone: billing.phone, company: billing.company },
    to_address: {
      name,
      company: shipping.company,
      address1: shipping.address_1,
      address2: shipping.address_2,
      city: shipping.city,
      province_code: shipping.state,
      postal_code: shipping.postcode,
      country_code: shipping.country,
      phone: billing.phone,
    },
    items: shop.line_items.map(({ sku, name: title, quantity, price }) => ({
      sku,
      title,
      quantity,
      value: price,
    })),
    requested_service: shop.shipping_lines[0]?.method_title,
    totals: {
      shipping: Number(shop.shipping_total),
      discount: Number(shop.discount_total),
      tax: Number(shop.total_tax),
      total: Number(shop.total),
      currency: shop.currency,
    },
    notes: shop.customer_note,
    placed_at: `${shop.date_created_gmt}Z`,
  };
}

test("a Shopify order becomes an order, a parcel, and fulfilled", async () => {
  const account = await anAccount(world);
  const sent = ofShopify(fromShopify);
  const made = must(await account.post<DataOf<Order>>("/orders", sent), 201).data;
  expect(made).toMatchObject({
    order_number: "#1042",
    to_address: { postal_code: "V5Y 1V4", address2: null, phone: "604-555-0119" },
    items: [
      { sku: "LAMP-OAK", weight: 2300, weight_unit: "g", value: 110 },
      { sku: null, title: "Gift wrapping – “blue”", weight: null },
    ],
    totals: { subtotal: 150, shipping: 10, discount: 0, tax: 21.59, total: 181.59 },
    tags: ["wholesale", "first order"],
    placed_at: "2026-10-05T02:15:09.000Z",
    metadata: { shopify_id: 5_107_884_621_003 },
  });
  const packing = { from_address: ottawa, packages: [{ weight: 2.6, weight_unit: "kg" }] };
  const { id } = await shipped(account, made.id, packing);
  await account.bought(id);
  expect((await showOrder(account, made.id)).status).toBe("fulfilled");
});

test("a WooCommerce order becomes an order, and its customs lines a parcel's", async () => {
  const account = await anAccount(world);
  const made = must(await account.post<DataOf<Order>>("/orders", ofWoo(fromWoo)), 201).data;
  expect(made).toMatchObject({
    order_number: "816",
    customer: { company: null, phone: "617-555-0188" },
    to_address: { company: null, address2: null, province_code: "MA" },
    items: [{ sku: null, title: "Tea towel &ndash; Linen", currency: "USD", quantity: 3 }],
    notes: "Ring twice",
    placed_at: "2026-10-03T09:12:44.000Z",
  });
  // Across the border customs require more than the shop knew.
  const packing = { from_address: ottawa, packages: [{ weight: 1, weight_unit: "kg" }] };
  const refused = await account.post<{ error: { details: object } }>(
    `/orders/${made.id}/shipments`,
    packing,
  );
  expect(Object.keys(must(refused, 422).error.details)).toEqual([
    "items.0.country_of_origin",
    "items.0.hs_code",
  ]);
  const items = made.items.map((item) => ({
    ...item,
    country_of_origin: "PT",
    hs_code: "6302.91",
  }));
  const { id } = await shipped(account, made.id, { ...packing, items });
  await account.bought(id);
  expect((await showOrder(account, made.id)).status).toBe("fulfilled");
});

test("the same export sent twice stores each order once", async () => {
  const account = await anAccount(world);
  const rows = [ofShopify(fromShopify), ofWoo(fromWoo)];
  const send = () => account.post<{ meta: object }>("/orders", rows);
  expect(must(await send(), 201).meta).toEqual({ total: 2, created: 2, failed: 0 });
  expect(must(await send(), 422).meta).toEqual({ total: 2, created: 0, failed: 2 });
});
