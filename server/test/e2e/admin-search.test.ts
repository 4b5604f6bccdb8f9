import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { DataOf, ListOf } from "../client.ts";
import { aMember } from "../people.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** What the operator's pages find: organizations and accounts by name or id, and every change. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

interface FoundAccount {
  id: string;
  organization_id: string;
  organization_name: string;
  environment: string;
  suspended_at: string | null;
}
const named = async (name: string) => {
  const body = { name, owner_email: "eloise@example.com" };
  interface Created {
    id: string;
    accounts: { id: string }[];
  }
  return must(await world.operator.post<DataOf<Created>>("/organizations", body), 201).data;
};

test("a part of a name without its accents, or an id, finds an organization and its accounts", async () => {
  const { id, accounts } = await named("Épicerie Beauséjour");
  interface Found {
    organizations: { id: string }[];
    accounts: FoundAccount[];
  }
  const search = async (q: string) =>
    must(await world.operator.get<DataOf<Found>>(`/search?q=${q}`), 200).data;
  const found = await search("beausejour");
  expect(found.organizations.map((each) => each.id)).toEqual([id]);
  expect(found.accounts.map((each) => each.id).sort()).toEqual(accounts.map((a) => a.id).sort());
  expect((await search(accounts[0]!.id)).accounts).toMatchObject([{ id: accounts[0]!.id }]);
  expect((await world.operator.get("/search")).status).toBe(422);
});

test("a tracking code, a shipment's or request's id, or a member's e-mail finds the account", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const { tracking_code } = await account.bought(id);
  const { organization_id } = must(
    await world.operator.get<DataOf<FoundAccount>>(`/accounts/${account.account_id}`),
    200,
  ).data;
  const { email } = await aMember(world, { id: organization_id }, "viewer");
  const found = async (q: string) =>
    must(await world.operator.get<ListOf<FoundAccount>>(`/accounts?q=${q}`), 200).data.map(
      (each) => each.id,
    );
  expect(await found(id)).toEqual([account.account_id]);
  expect(await found(tracking_code!)).toEqual([account.account_id]);
  expect(await found(email.toUpperCase())).toContain(account.account_id);
  const { request_id } = await vi.waitFor(async () => {
    const lines = world.db.selectFrom("request_log").select("request_id");
    return lines.where("account_id", "=", account.account_id).limit(1).executeTakeFirstOrThrow();
  });
  expect(await found(request_id)).toEqual([account.account_id]);
  expect(await found("shp_00000000000000000000000000")).toEqual([]);
});

test("an account is shown with its organization's name, its balance in lists, and its volume of thirty days", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const { cost } = await account.bought(id);
  const { account_id } = account;
  const { balance } = await account.balance();
  interface Shown {
    organization_name: string;
    balance: number;
  }
  const shown = must(await world.operator.get<DataOf<Shown>>(`/accounts/${account_id}`), 200);
  expect(shown.data).toMatchObject({ organization_name: "Test Shop", balance });
  const listed = must(await world.operator.get<ListOf<Shown>>(`/accounts?q=${account_id}`), 200);
  expect(listed.data).toMatchObject([{ id: account_id, balance }]);
  const volume = must(await world.operator.get(`/accounts/${account_id}/volume`), 200);
  expect(volume).toMatchObject({ data: { shipments: 1, total: cost!.total, currency: "CAD" } });
  expect((await world.operator.get("/accounts/acc_unknown/volume")).status).toBe(404);
});

test("accounts are listed by name and by whether they are suspended, page by page", async () => {
  const { accounts } = await named("Listed Ltd");
  const [first] = accounts;
  must(await world.operator.patch(`/accounts/${first!.id}`, { suspended: true }), 200);
  const list = async (query: string) =>
    must(await world.operator.get<ListOf<FoundAccount>>(`/accounts?q=listed&${query}`), 200);
  expect((await list("suspended=true")).data).toMatchObject([
    { id: first!.id, organization_name: "Listed Ltd", suspended_at: expect.any(String) as string },
  ]);
  expect((await list("suspended=false")).data).toHaveLength(1);
  const page = await list("per_page=1");
  expect(page.meta.next_cursor).toEqual(expect.any(String));
  expect((await list("page=1")).meta.total).toBe(2);
  expect((await world.operator.get("/accounts?suspended=perhaps")).status).toBe(422);
});

test("organizations are listed with their accounts", async () => {
  const { id, accounts } = await named("Counted Ltd");
  interface Listed {
    id: string;
    accounts: { id: string }[];
  }
  const { data } = must(await world.operator.get<DataOf<Listed[]>>("/organizations"), 200);
  expect(
    data
      .find((each) => each.id === id)!
      .accounts.map((each) => each.id)
      .sort(),
  ).toEqual(accounts.map((each) => each.id).sort());
});

test("the audit log of everything goes back page by page, and by action", async () => {
  const account = await anAccount(world);
  must(await world.operator.patch(`/accounts/${account.account_id}`, { suspended: false }), 200);
  interface Line {
    account_id: string;
    action: string;
    created_at: string;
  }
  interface Log {
    data: Line[];
    meta: { next_before: string | null };
  }
  const log = async (query: string) =>
    must(await world.operator.get<Log>(`/audit-log?${query}`), 200);
  const { data, meta } = await log("action=account.changed&per_page=1");
  expect(data).toMatchObject([{ account_id: account.account_id, action: "account.changed" }]);
  const older = await log(`per_page=100&before=${meta.next_before!}`);
  expect(older.data.length).toBeGreaterThan(0);
  for (const { created_at } of older.data) expect(created_at < meta.next_before!).toBe(true);
  expect((await world.operator.get("/audit-log?before=yesterday")).status).toBe(422);
});

test("a token of an account finds none of it", async () => {
  const account = await anAccount(world);
  const { status } = await fetch(`${world.url}/api/admin/search?q=a`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  expect(status).toBe(401);
});
