import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { halifax } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** `POST /addresses/validate`: bad postal codes are found before a shipment is made (spec 4.12). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await world.close();
});

interface Verdict {
  status: string;
  is_valid: boolean;
  address: Record<string, unknown>;
  changes: { field: string; from: string; to: string }[];
  messages: { code: string; severity: string; field: string }[];
}
const judged = async (address: object) => {
  const account = await anAccount(world, { scopes: ["addresses:read"] });
  const body = await account.post<DataOf<Verdict>>("/addresses/validate", address);
  return must(body, 200).data;
};

test("a good address is verified unchanged", async () => {
  expect(await judged(halifax)).toMatchObject({
    status: "verified",
    is_valid: true,
    changes: [],
  });
});

test("correctable fields are corrected, and reported", async () => {
  const verdict = await judged({ ...halifax, postal_code: "b3j1s3", province_code: "ns" });
  expect(verdict).toMatchObject({
    status: "corrected",
    is_valid: true,
    address: { postal_code: "B3J 1S3" },
  });
  expect(verdict.changes.map(({ field }) => field)).toContain("postal_code");
});

test("a postal code of another province is reported before a shipment is made", async () => {
  const verdict = await judged({ address: { ...halifax, postal_code: "V5K 0A1" } });
  expect(verdict).toMatchObject({ status: "invalid", is_valid: false });
  expect(verdict.messages.map(({ code }) => code)).toContain("postal_code_province_mismatch");
});

test("a body without an address is 422", async () => {
  const account = await anAccount(world);
  for (const body of [null, [], 7, '"x"', {}, { address: 7 }])
    expect((await account.post("/addresses/validate", body)).status).toBe(422);
});
