import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countOutcomes,
  outcomeOf,
  type DataOf,
  type Failure,
  type ListOf,
  type Shipment,
} from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, boston, halifax, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** Lists, changes and removals (spec 4.1, decisions 1 and 6). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

type Page = ListOf<Shipment>;

async function pageAt(account: TestAccount, link: string): Promise<Page> {
  return must(await account.get<Page>(link), 200);
}

describe("lists", () => {
  test("cursors lead through all rows, newest first, there and back", async () => {
    const account = await anAccount(world);
    const rows = Array.from({ length: 12 }, (_row, index) => aShipment({ reference: `R${index}` }));
    must(await account.post("/shipments", rows), 201);
    const pages: string[][] = [];
    let page = await pageAt(account, "/shipments?per_page=5&type=courier");
    expect(page.links).toMatchObject({ last: null, prev: null });
    pages.push(page.data.map(({ id }) => id));
    while (page.links.next) {
      expect(page.links.next).toContain("type=courier");
      page = await pageAt(account, page.links.next);
      pages.push(page.data.map(({ id }) => id));
    }
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 2]);
    const all = pages.flat();
    expect(all).toEqual(all.toSorted().toReversed());
    expect(new Set(all).size).toBe(12);
    const back: string[][] = [pages.at(-1)!];
    while (page.links.prev) {
      page = await pageAt(account, page.links.prev);
      back.push(page.data.map(({ id }) => id));
    }
    expect(back.toReversed()).toEqual(pages);
  });

  test("a new row neither repeats nor hides one of a walk that is under way", async () => {
    const account = await anAccount(world);
    must(await account.post("/shipments", [aShipment(), aShipment(), aShipment()]), 201);
    const first = await pageAt(account, "/shipments?per_page=2");
    await account.create(aShipment());
    const second = await pageAt(account, first.links.next!);
    expect(second.data).toHaveLength(1);
    expect(first.data.map(({ id }) => id)).not.toContain(second.data[0]!.id);
  });

  test("page numbers count, and a page past the end is empty", async () => {
    const account = await anAccount(world);
    must(
      await account.post(
        "/shipments",
        Array.from({ length: 7 }, () => aShipment()),
      ),
      201,
    );
    const page = await pageAt(account, "/shipments?page=2&per_page=3");
    expect(page.meta).toMatchObject({
      current_page: 2,
      last_page: 3,
      from: 4,
      to: 6,
      total: 7,
      per_page: 3,
    });
    expect(page.links.next).toContain("page=3");
    const past = await pageAt(account, "/shipments?page=9&per_page=3");
    expect(past.data).toEqual([]);
    expect(past.meta).toMatchObject({ current_page: 9, from: null, to: null, total: 7 });
    for (const query of [
      "page=0",
      "page=1&cursor=abc",
      "cursor=abc",
      "page=101&per_page=100",
      "per_page=0",
      "per_page=101",
    ]) {
      expect(outcomeOf(await account.get(`/shipments?${query}`))).toBe("422 validation_failed");
    }
  });

  test("filters narrow by what they name", async () => {
    const account = await anAccount(world);
    const items = [
      {
        title: "Ink",
        quantity: 1,
        value: 5,
        currency: "CAD",
        country_of_origin: "CA",
        hs_code: "321590",
      },
    ];
    const abroad = await account.create(
      aShipment({ to_address: boston, items, reference: "A-1", tags: ["gift", "rush"] }),
    );
    const home = await account.create(aShipment({ reference: "A-2" }));
    const bought = await account.create(aShipment({ reference: "A-3" }));
    const { tracking_code, rate } = await account.bought(bought.id);
    const cancelled = await account.create(aShipment({ reference: "A-4" }));
    must(await account.post(`/shipments/${cancelled.id}/void`), 200);

    const found = async (query: string) => {
      const { data } = await pageAt(account, `/shipments?${query}`);
      return data.map(({ reference }) => reference).toSorted();
    };
    expect(await found("country_code=us")).toEqual(["A-1"]);
    expect(await found("reference=A-2")).toEqual(["A-2"]);
    expect(await found("status=draft")).toEqual(["A-1", "A-2"]);
    expect(await found("status=purchased,cancelled")).toEqual(["A-3", "A-4"]);
    expect(await found(`carrier=${rate.carrier.code}`)).toEqual(["A-3"]);
    expect(await found(`service=${rate.service}`)).toEqual(["A-3"]);
    expect(await found(`tracking_code=${tracking_code}`)).toEqual(["A-3"]);
    expect(await found("tracking_status=pre_transit")).toEqual(["A-3"]);
    expect(await found("tag=rush")).toEqual(["A-1"]);
    expect(await found("type=ltl")).toEqual([]);
    expect(await found(`q=${home.ship_code.slice(0, 6).toLowerCase()}`)).toEqual(["A-2"]);
    expect(await found(`q=${encodeURIComponent("delia n")}`)).toEqual(["A-1"]);
    expect(await found(`q=${tracking_code!.slice(0, 8)}`)).toEqual(["A-3"]);
    expect(await found(`q=${abroad.id}`)).toEqual(["A-1"]);
    expect(await found("q=%25")).toEqual([]);
    expect(await found(`created_from=${home.created_at}`)).toEqual(["A-2", "A-3", "A-4"]);
    expect(await found(`created_to=${abroad.created_at}`)).toEqual(["A-1"]);
    expect(await found("unknown_parameter=1")).toHaveLength(4);
    for (const wrong of ["status=lost", "type=air", "country_code=USA", "created_from=yesterday"]) {
      expect(outcomeOf(await account.get(`/shipments?${wrong}`))).toBe("422 validation_failed");
    }
  });

  test("nobody sees another account's shipments", async () => {
    const [mine, other] = [await anAccount(world), await anAccount(world)];
    const { id } = await mine.create(aShipment());
    expect((await pageAt(other, "/shipments")).data).toEqual([]);
    const foreign = await other.get(`/shipments/${id}`);
    const missing = await other.get("/shipments/shp_01k6x3v2m4f8r9t0a1b2c3d4e5");
    expect(foreign.status).toBe(404);
    expect(foreign.bytes.equals(missing.bytes)).toBe(true);
  });
});

describe("PUT", () => {
  test("changes what the body names and leaves the rest", async () => {
    const account = await anAccount(world);
    const before = await account.create(
      aShipment({ reference: "old", tags: ["a"], metadata: { order: 7 } }),
    );
    const body = { reference: "new", packages: [{ ...parcel, weight: 3, reference: "box" }] };
    const after = must(
      await account.put<DataOf<Shipment>>(`/shipments/${before.id}`, body),
      200,
    ).data;
    expect(after).toMatchObject({
      reference: "new",
      tags: ["a"],
      metadata: { order: 7 },
      to_address: before.to_address,
      ship_code: before.ship_code,
      created_at: before.created_at,
    });
    expect(after.packages[0]).toMatchObject({ weight: 3, reference: "box", weight_unit: "kg" });
    const cleared = must(
      await account.put<DataOf<Shipment>>(`/shipments/${before.id}`, { reference: null }),
      200,
    );
    expect(cleared.data.reference).toBeNull();
  });

  test("judges the shipment as it would become, and changes nothing when that is wrong", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const before = await account.show(id);
    // Across the border the customs lines are missing.
    const refused = await account.put<Failure>(`/shipments/${id}`, {
      to_address: boston,
      reference: "x",
    });
    expect(Object.keys(must(refused, 422).error.details)).toEqual(["items"]);
    const mixed = {
      packages: [{ ...parcel, weight: "2" }],
      reference: 7,
      to_address: { ...halifax, postal_code: "X" },
    };
    const wrong = must(await account.put<Failure>(`/shipments/${id}`, mixed), 422).error.details;
    expect(Object.keys(wrong).toSorted()).toEqual([
      "packages.0.weight",
      "reference",
      "to_address.postal_code",
    ]);
    for (const body of [null, [], '"x"', 7])
      expect((await account.put(`/shipments/${id}`, body)).status).toBe(422);
    expect(await account.show(id)).toEqual(before);
  });

  test("after purchase changes the merchant's own fields only", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const { tracking_code } = await account.bought(id);
    const own = { reference: "late", tags: ["t"], metadata: { a: 1 } };
    const changed = must(await account.put<DataOf<Shipment>>(`/shipments/${id}`, own), 200).data;
    expect(changed).toMatchObject({ ...own, tracking_code, status: "purchased" });
    const refused = await account.put<Failure>(`/shipments/${id}`, {
      to_address: ottawa,
      reference: "no",
    });
    expect(must(refused, 409).error).toMatchObject({
      code: "already_labelled",
      details: { shipment_id: id, tracking_code, status: "purchased" },
    });
    expect((await account.show(id)).reference).toBe("late");
  });
});

describe("DELETE and void", () => {
  test("a draft is gone; a second time it is 404", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    await account.rates(id);
    const gone = await account.delete(`/shipments/${id}`);
    expect([gone.status, gone.bytes.length]).toEqual([204, 0]);
    expect(outcomeOf(await account.get(`/shipments/${id}`))).toBe("404 not_found");
    expect(outcomeOf(await account.delete(`/shipments/${id}`))).toBe("404 not_found");
  });

  test("a labelled shipment is voided and stays as a record", async () => {
    const account = await anAccount(world, { balance_cents: 50_000 });
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const voided = must(await account.delete<DataOf<Shipment>>(`/shipments/${id}`), 200).data;
    expect(voided).toMatchObject({ id, status: "voided" });
    await assertInvariants(world);
    expect(await account.balanceCents()).toBe(50_000);
    expect(outcomeOf(await account.buy(id))).toBe("409 conflict");
  });

  test("voiding a draft cancels it; a cancelled one can only be removed", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const cancelled = must(
      await account.post<DataOf<Shipment>>(`/shipments/${id}/void`, { reason: "typo" }),
      200,
    );
    expect(cancelled.data).toMatchObject({ status: "cancelled", refund: null });
    const again = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200);
    expect(again.data).toEqual(cancelled.data);
    expect(outcomeOf(await account.buy(id))).toBe("409 conflict");
    expect(outcomeOf(await account.put(`/shipments/${id}`, { to_address: ottawa }))).toBe(
      "409 conflict",
    );
    expect((await account.delete(`/shipments/${id}`)).status).toBe(204);
  });

  test("rates that are being fetched while their shipment is deleted end in 200 or 404, never in 500", async () => {
    const account = await anAccount(world);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { id } = await account.create(aShipment());
        const [rates] = await Promise.all([
          account.get(`/rates/${id}`),
          account.delete(`/shipments/${id}`),
        ]);
        return rates;
      }),
    );
    for (const outcome of Object.keys(countOutcomes(outcomes)))
      expect(["200", "404 not_found"]).toContain(outcome);
  });
});

describe("address validation", () => {
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

  test("a good address is verified as it is", async () => {
    expect(await judged(halifax)).toMatchObject({
      status: "verified",
      is_valid: true,
      changes: [],
    });
  });

  test("what can be put right is, and said", async () => {
    const verdict = await judged({ ...halifax, postal_code: "b3j1s3", province_code: "ns" });
    expect(verdict).toMatchObject({
      status: "corrected",
      is_valid: true,
      address: { postal_code: "B3J 1S3" },
    });
    expect(verdict.changes.map(({ field }) => field)).toContain("postal_code");
  });

  test("a postal code of another province is surfaced before a shipment is made", async () => {
    const verdict = await judged({ address: { ...halifax, postal_code: "V5K 0A1" } });
    expect(verdict).toMatchObject({ status: "invalid", is_valid: false });
    expect(verdict.messages.map(({ code }) => code)).toContain("postal_code_province_mismatch");
  });

  test("what is no address at all is 422", async () => {
    const account = await anAccount(world);
    for (const body of [null, [], 7, '"x"', {}, { address: 7 }])
      expect((await account.post("/addresses/validate", body)).status).toBe(422);
  });
});
