import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, type DataOf, type Failure, type Rates, type Reply } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** The operator's API (decision 24), in a process that caches tokens for a second. */

let world: World;
beforeAll(async () => {
  world = await aPlatform({ WAYBILL_TOKEN_CACHE_MS: "1000" });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const settingsOf = (account: { account_id: string }) => `/accounts/${account.account_id}/settings`;

describe("the operator's changes hold for the very next request", () => {
  test("a setting", async () => {
    const account = await anAccount(world);
    const tiers = async () =>
      must(await account.post<Rates>("/rates", aShipment()), 200).data.map(
        (rate) => "tier_pricing" in rate,
      );
    expect(new Set(await tiers())).toEqual(new Set([false]));
    must(await world.operator.patch(settingsOf(account), { show_tier_rates_api: true }), 200);
    expect(new Set(await tiers())).toEqual(new Set([true]));
  });

  test("disabled services, if there are such, each once", async () => {
    const account = await anAccount(world);
    const change = (disabled_services: string[]) =>
      world.operator.patch<Failure>(settingsOf(account), { disabled_services });
    const known = "canada_post.expedited_parcel";
    must(await change([known]), 200);
    for (const [wrong, path] of [
      [["nope"], "disabled_services.0"],
      [["canada_post.priority", "Canada_Post.priority"], "disabled_services.1"],
      [[known, known], "disabled_services"],
    ] as const) {
      const refused = await change([...wrong]);
      expect(outcomeOf(refused)).toBe("422 validation_failed");
      expect(Object.keys(refused.body.error.details)).toEqual([path]);
    }
    const { data } = must(
      await account.get<DataOf<{ settings: { disabled_services: string[] } }>>("/account"),
      200,
    );
    expect(data.settings.disabled_services).toEqual([known]);
  });

  test("a time zone, if it exists", async () => {
    const account = await anAccount(world);
    const path = `/accounts/${account.account_id}`;
    const change = (time_zone: string) =>
      world.operator.patch<DataOf<{ time_zone: string }>>(path, { time_zone });
    expect(must(await change("America/Vancouver"), 200).data.time_zone).toBe("America/Vancouver");
    for (const wrong of ["Mars/Olympus", "", "\u0000", "Toronto", "+0530", "US/Pacific-New"]) {
      const refused = (await change(wrong)) as unknown as Reply<Failure>;
      expect(outcomeOf(refused)).toBe("422 validation_failed");
      expect(Object.keys(refused.body.error.details)).toEqual(["time_zone"]);
    }
    const { time_zone } = must(
      await world.operator.get<DataOf<{ time_zone: string }>>(path),
      200,
    ).data;
    expect(time_zone).toBe("America/Vancouver");
  });

  test("a suspension, and its end", async () => {
    const account = await anAccount(world);
    const status = async () => outcomeOf(await account.get("/shipments"));
    const suspend = async (suspended: boolean) =>
      must(await world.operator.patch(`/accounts/${account.account_id}`, { suspended }), 200);
    expect(await status()).toBe("200");
    await suspend(true);
    expect(await status()).toBe("403 account_suspended");
    await suspend(false);
    expect(await status()).toBe("200");
  });

  test("the token ceiling", async () => {
    const account = await anAccount(world);
    interface Minted {
      id: string;
      token: string;
    }
    const mint = (scopes: string[], token = account.token) =>
      account.post<DataOf<Minted> & Failure>(
        "/tokens",
        { name: "CI", scopes },
        { authorization: `Bearer ${token}` },
      );
    const rotator = must(await mint(["tokens:manage"]), 201).data.token;
    must(await mint(["labels:create"], rotator), 201);
    must(await world.operator.patch(settingsOf(account), { token_ceiling: ["rates:read"] }), 200);
    const refused = must(await mint(["rates:read", "labels:create"], rotator), 403);
    expect(refused.error).toMatchObject({
      code: "scope_missing",
      details: { required_scopes: ["labels:create"], token_scopes: ["tokens:manage"] },
    });
    must(await mint(["rates:read"], rotator), 201);
    must(await mint(["labels:create"]), 201);
  });
});

test("a revoked and a rotated token open nothing from then on", async () => {
  const account = await anAccount(world);
  interface Minted {
    id: string;
    token: string;
  }
  const mint = async () =>
    must(
      await account.post<DataOf<Minted>>("/tokens", { name: "CI", scopes: ["shipments:read"] }),
      201,
    ).data;
  const use = async ({ token }: Minted) =>
    outcomeOf(await account.get("/shipments", { authorization: `Bearer ${token}` }));
  const [revoked, rotated] = [await mint(), await mint()];
  expect([await use(revoked), await use(rotated)]).toEqual(["200", "200"]);
  must(await account.delete(`/tokens/${revoked.id}`), 204);
  expect(await use(revoked)).toBe("401 token_revoked");
  must(await account.post(`/tokens/${rotated.id}/rotate`), 201);
  expect(await use(rotated)).toBe("401 token_revoked");
});

test("a change returns all settings, and an unknown one changes nothing", async () => {
  const account = await anAccount(world);
  const change = (body: object) =>
    world.operator.patch<DataOf<Record<string, unknown>> & Failure>(settingsOf(account), body);
  const settings = must(await change({ tier: "retail", refund_hold_days: 3 }), 200).data;
  expect(settings).toMatchObject({
    tier: "retail",
    refund_hold_days: 3,
    show_tier_rates_api: false,
    token_ceiling: null,
    products_api_create: false,
  });
  const { error } = must(await change({ tier: "gold", token_ceiling: ["rates:raed"] }), 422);
  expect(error.details).toEqual({
    tier: ["tier must be one of retail, standard, enterprise."],
    "token_ceiling.0": [
      expect.stringMatching(/^token_ceiling.0 must be one of shipments:read, .*tokens:manage\.$/),
    ],
  });
  expect(must(await change({ token_ceiling: ["rates:read"] }), 200).data).toEqual({
    ...settings,
    token_ceiling: ["rates:read"],
  });
});
