import { afterAll, beforeAll, expect, test } from "vitest";
import { knownScopes } from "../../domain/accounts/scopes.ts";
import { anAccount, aToken, call, testApi, type TestApi } from "../../../test/api.ts";
import type { BookAddress } from "./schemas.ts";

/** The address book, and the one default sender. */

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
});
afterAll(() => api.close());

const freshShop = async () => {
  token = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
};
const address = {
  name: "Ada Tremblay",
  address1: "275 Rue Notre-Dame Est",
  city: "Montréal",
  province_code: "QC",
  postal_code: "H2Y 1C6",
  country_code: "CA",
};
const ask = async <T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => {
  const response = await call(api, {
    token,
    method,
    path,
    ...(body === undefined ? {} : { body }),
  });
  const text = response.body === "" ? "null" : response.body;
  return { status: response.statusCode, body: JSON.parse(text) as T };
};
const add = async (input: object) => {
  const reply = await ask<{ data: BookAddress }>("POST", "/addresses", input);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.data;
};
const defaultSender = async () =>
  (await ask<{ data: { default_from_address: { city: string } | null } }>("GET", "/account")).body
    .data.default_from_address?.city ?? null;

test("the default sender is the book's default of the use from, however it is set", async () => {
  await freshShop();
  const first = await add({
    label: "Atelier",
    address,
    uses: ["from", "return"],
    is_default: true,
  });
  expect(first).toMatchObject({ is_default: true, default_for: ["from", "return"] });
  expect(await defaultSender()).toBe("Montréal");
  const ottawa = { ...address, city: "Ottawa", province_code: "ON", postal_code: "K1P 1J1" };
  const second = await add({ label: "Depot", address: ottawa, uses: ["from"], is_default: true });
  expect(await defaultSender()).toBe("Ottawa");
  const { body } = await ask<{ data: BookAddress }>("GET", `/addresses/${first.id}`);
  expect(body.data).toMatchObject({ is_default: true, default_for: ["return"] });
  await ask("PUT", "/account", { default_from_address: { ...ottawa, city: "Kanata" } });
  const changed = await ask<{ data: BookAddress }>("GET", `/addresses/${second.id}`);
  expect(changed.body.data.address.city).toBe("Kanata");
  expect((await ask("DELETE", `/addresses/${second.id}`)).status).toBe(204);
  expect(await defaultSender()).toBeNull();
});

test("a change names only what changes, and a read address may be sent back", async () => {
  await freshShop();
  const made = await add({ label: "Old", address, uses: ["to"] });
  const path = `/addresses/${made.id}`;
  const { body } = await ask<{ data: BookAddress }>("PUT", path, { label: "New" });
  expect(body.data).toMatchObject({ label: "New", uses: ["to"], address: { city: "Montréal" } });
  expect((await ask("PUT", path, body.data)).status).toBe(200);
  const { status, body: refused } = await ask<{ error: { details: object } }>("PUT", path, {
    label: " ",
    uses: [],
    address: { ...address, postal_code: "nonsense" },
    colour: "red",
  });
  expect([status, Object.keys(refused.error.details).sort()]).toEqual([
    422,
    ["address.postal_code", "colour", "label", "uses"],
  ]);
});

test("what is read of an address may be sent back and takes no default from another", async () => {
  await freshShop();
  const first = await add({ label: "A", address, uses: ["from", "return"], is_default: true });
  const second = await add({ label: "B", address, uses: ["from"], is_default: true });
  const show = async ({ id }: BookAddress) => {
    const { body } = await ask<{ data: BookAddress }>("GET", `/addresses/${id}`);
    const { updated_at: _updated, ...facts } = body.data;
    return facts;
  };
  const before = [await show(first), await show(second)];
  expect(before.map(({ default_for }) => default_for)).toEqual([["return"], ["from"]]);
  const put = (body: object) => ask("PUT", `/addresses/${first.id}`, body);
  expect((await put({ ...before[0], updated_at: first.updated_at })).status).toBe(200);
  expect([await show(first), await show(second)]).toEqual(before);
  await put({ ...before[0], uses: ["from"], label: "Only from" });
  expect(await show(first)).toMatchObject({ is_default: false, default_for: [] });
  await put({ is_default: true });
  expect((await show(first)).default_for).toEqual(["from"]);
  expect((await show(second)).default_for).toEqual([]);
  await put({ ...(await show(first)), is_default: false });
  expect((await show(first)).default_for).toEqual([]);
});

test("it is searched without regard to accents, and by use", async () => {
  await freshShop();
  await add({ label: "Atelier", address, uses: ["from"] });
  await add({ label: "Client", address: { ...address, city: "Laval" }, uses: ["to"] });
  const found = async (query: string) =>
    (await ask<{ data: BookAddress[] }>("GET", `/addresses?${query}`)).body.data.map(
      ({ label }) => label,
    );
  expect(await found("q=montreal")).toEqual(["Atelier"]);
  expect(await found("use=to")).toEqual(["Client"]);
  expect((await ask("GET", "/addresses?use=nowhere")).status).toBe(422);
});

test("a preset's sides come together with their unit, and its name once", async () => {
  await freshShop();
  const box = { name: "Box", length: 20, width: 15, height: 10, size_unit: "cm" };
  const made = await ask<{ data: { id: string } }>("POST", "/package-presets", box);
  expect(made.status).toBe(201);
  expect((await ask("POST", "/package-presets", box)).status).toBe(409);
  const bad = await ask<{ error: { details: object } }>("POST", "/package-presets", {
    name: " ",
    length: 20,
    weight: 1,
  });
  expect(Object.keys(bad.body.error.details).sort()).toEqual([
    "height",
    "name",
    "size_unit",
    "weight_unit",
    "width",
  ]);
  const path = `/package-presets/${made.body.data.id}`;
  // No text can be made of it.
  for (const [method, url] of [
    ["POST", "/package-presets"],
    ["PUT", path],
  ] as const) {
    const odd = await ask<{ error: { details: object } }>(method, url, { name: { toString: 1 } });
    expect([odd.status, Object.keys(odd.body.error.details)]).toEqual([422, ["name"]]);
  }
  const changed = await ask<{ data: object }>("PUT", path, { weight: 0.2, weight_unit: "kg" });
  expect(changed.body.data).toMatchObject({ ...box, weight: 0.2, package_type: "parcel" });
  expect((await ask("PUT", path, { height: null })).status).toBe(422);
  expect((await ask("DELETE", path)).status).toBe(204);
  expect((await ask("GET", path)).status).toBe(404);
});
