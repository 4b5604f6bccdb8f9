import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf, ListOf } from "../../../test/client.ts";
import { anAccount, aPlatform, must, type World } from "../../../test/world.ts";

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
