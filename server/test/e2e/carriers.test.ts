import type { Static } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueCarrier } from "../../src/resources/carriers/schemas.ts";
import type { DataOf, Failure } from "../client.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** The catalogue says of each carrier what integrators and operators need to know (decision 27). */

type Listed = Static<typeof CatalogueCarrier>;
let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

async function carriers(): Promise<Listed[]> {
  return must(await account.get<DataOf<Listed[]>>("/carriers"), 200).data;
}

test("each carrier says what its adapter was tested against", async () => {
  const said = (await carriers()).map(({ code, evidence }) => [code, evidence]);
  expect(Object.fromEntries(said)).toEqual({
    canada_post: "documents",
    purolator: "documents",
    ups: "documents",
    usps: "documents",
    fedex: "simulated",
    tforce_freight: "simulated",
    day_ross: "simulated",
    manitoulin: "simulated",
  });
});

test("each service has its limits", async () => {
  for (const { services } of await carriers()) {
    expect(services.length).toBeGreaterThan(0);
    for (const { limits } of services) expect(limits.max_length_cm).toBeGreaterThan(0);
  }
});

test("a connection lacks exactly the fields that the catalogue calls required", async () => {
  for (const { code, connection_fields } of await carriers()) {
    const required = connection_fields.filter(({ is_required }) => is_required);
    const body = { carrier: code, environment: "test", name: "Bare", values: {}, secrets: {} };
    const reply = await world.operator.post<Failure>("/carrier-connections", body);
    expect(reply.status).toBe(422);
    const paths = required.map(({ group, name }) => `${group}.${name}`);
    expect(Object.keys(reply.body.error.details).sort()).toEqual(
      paths.length > 0 ? paths.sort() : ["carrier"],
    );
  }
});

test("secrets are marked, and choices are listed", async () => {
  const post = (await carriers()).find(({ code }) => code === "canada_post")!;
  const secrets = post.connection_fields.filter(({ is_write_only }) => is_write_only);
  expect(secrets.map(({ name, group }) => [name, group])).toEqual([
    ["username", "secrets"],
    ["password", "secrets"],
  ]);
  const payment = post.connection_fields.find(({ name }) => name === "method_of_payment");
  expect(payment?.options).toEqual(["Account", "CreditCard", "SupplierAccount"]);
});

test("whether manifests are required is said of the contract that the account's labels are bought on", async () => {
  const need = async () => (await carriers()).find(({ code }) => code === "canada_post")!.manifest;
  expect(await need()).toBe("optional");
  const connection = {
    carrier: "canada_post",
    environment: "test",
    name: "Canada Post",
    values: { customer_number: "2004381", contract_id: "42708517" },
    secrets: { username: "key", password: "planted_secret_1" },
  };
  must(await world.operator.post("/carrier-connections", connection), 201);
  expect(await need()).toBe("required");
  expect((await carriers()).find(({ code }) => code === "ups")!.manifest).toBe("none");
});
