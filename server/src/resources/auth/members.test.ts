import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLink } from "./make-link.ts";
import { byShell } from "../../domain/accounts/principal.ts";
import { testApi, type TestApi } from "../../../test/api.ts";
import type { Document } from "../../../test/operations.ts";
import { standardValidator } from "../../../test/standard-validator.ts";
import {
  aBrowser,
  aMember,
  anOperator,
  anOrganization,
  password,
  signedIn,
  type Browser,
  type TestOrganization,
} from "../../../test/people.ts";

let api: TestApi;
let organization: TestOrganization;
let owner: Browser;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  organization = await anOrganization(api);
  owner = await signedIn(api, await aMember(api, organization, "owner"));
});
afterAll(() => api.close());

const of = ({ id }: { id: string }) => `/api/auth/organizations/${id}`;

async function invite(email: string, role = "shipper"): Promise<string> {
  const answer = await owner.send("POST", `${of(organization)}/invitations`, { email, role });
  expect(answer.statusCode, answer.body).toBe(201);
  const { link, is_mailed } = answer.json<{ data: { link: string; is_mailed: boolean } }>().data;
  expect(is_mailed).toBe(false);
  return `/api/auth/invitations/${link.split("/").at(-1)}`;
}

test("an invited person chooses a password, is signed in, and the link is used up", async () => {
  const url = await invite("jo@example.com");
  const jo = aBrowser(api);
  expect((await jo.send("GET", url)).json()).toMatchObject({
    data: { organization: { name: "Maple Goods" }, role: "shipper", has_password: false },
  });
  const weak = await jo.send("POST", url, { name: "Jo", password: "password123" });
  expect(weak.json()).toMatchObject({
    error: { code: "validation_failed", details: { password: [expect.any(String)] } },
  });
  for (const short of ["a", "123456789"]) {
    const refused = await jo.send("POST", url, { name: " ", password: short });
    expect(refused.json()).toMatchObject({
      error: {
        code: "validation_failed",
        details: {
          name: ["name must not be blank."],
          password: ["password must have at least 10 characters."],
        },
      },
    });
  }
  const accepted = await jo.send("POST", url, { name: "Jo", password });
  expect(accepted.json()).toMatchObject({
    data: { memberships: [{ role: "shipper" }], next: null },
  });
  expect((await jo.send("GET", "/api/v5/shipments")).statusCode).toBe(200);
  const again = await aBrowser(api).send("POST", url, { name: "Eve", password });
  expect(again.statusCode).toBe(404);
});

test("a person with an account accepts by its password, and by no other", async () => {
  const elsewhere = await anOrganization(api);
  const known = await aMember(api, elsewhere, "owner");
  const url = await invite(known.email, "finance");
  const wrong = await aBrowser(api).send("POST", url, { password: "some other words" });
  expect(wrong.statusCode).toBe(401);
  const accepted = await aBrowser(api).send("POST", url, { password });
  expect(accepted.json<{ data: { memberships: object[] } }>().data.memberships).toHaveLength(2);
});

test("a withdrawn invitation opens nothing", async () => {
  const url = await invite("kim@example.com");
  const listed = await owner.send("GET", `${of(organization)}/invitations`);
  const { data } = listed.json<{ data: { id: string; email: string }[] }>();
  const { id } = data.find(({ email }) => email === "kim@example.com")!;
  expect((await owner.send("DELETE", `${of(organization)}/invitations/${id}`)).statusCode).toBe(
    204,
  );
  expect((await aBrowser(api).send("POST", url, { name: "Kim", password })).statusCode).toBe(404);
});

test("only owners see and change members, and of another organization nothing is found", async () => {
  const member = await aMember(api, organization, "developer");
  const browser = await signedIn(api, member);
  const path = `${of(organization)}/members`;
  expect((await browser.send("GET", path)).statusCode).toBe(403);
  const promoted = await browser.send("PUT", `${path}/${member.id}`, { role: "owner" });
  expect(promoted.statusCode).toBe(403);
  const elsewhere = await anOrganization(api);
  expect((await owner.send("GET", `${of(elsewhere)}/members`)).statusCode).toBe(404);
  const listed = await owner.send("GET", path);
  expect(
    listed.json<{ data: { user_id: string }[] }>().data.map(({ user_id }) => user_id),
  ).toContain(member.id);
});

test("who is no owner is refused before the body is read", async () => {
  const member = await aMember(api, organization, "viewer");
  const browser = await signedIn(api, member);
  const elsewhere = await anOrganization(api);
  for (const [method, path] of [
    ["POST", "invitations"],
    ["PUT", `members/${member.id}`],
  ] as const) {
    expect((await browser.send(method, `${of(organization)}/${path}`, {})).statusCode).toBe(403);
    expect((await browser.send(method, `${of(elsewhere)}/${path}`, {})).statusCode).toBe(404);
    expect((await owner.send(method, `${of(organization)}/${path}`, {})).statusCode).toBe(422);
  }
});

test("a new role is in force for the next request", async () => {
  const member = await aMember(api, organization, "viewer");
  const browser = await signedIn(api, member);
  expect((await browser.send("GET", "/api/v5/tokens")).statusCode).toBe(403);
  await owner.send("PUT", `${of(organization)}/members/${member.id}`, { role: "developer" });
  expect((await browser.send("GET", "/api/v5/tokens")).statusCode).toBe(200);
});

test("of two last owners who leave at the same moment one stays", async () => {
  const small = await anOrganization(api);
  const people = [await aMember(api, small, "owner"), await aMember(api, small, "owner")];
  const browsers = await Promise.all(people.map((person) => signedIn(api, person)));
  const answers = await Promise.all(
    browsers.map((browser, index) =>
      browser.send("DELETE", `${of(small)}/members/${people[index]!.id}`),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
});

test("a link for a new password works once, and ends the sessions that there were", async () => {
  const member = await aMember(api, organization, "viewer");
  const before = await signedIn(api, member);
  const terms = { origin: "", now: new Date(), by: byShell };
  const links = await api.db
    .transaction()
    .execute(async (tx) => [
      await makeLink(tx, { kind: "user", id: member.id }, terms),
      await makeLink(tx, { kind: "user", id: member.id }, terms),
    ]);
  const [url, other] = links.map((link) => link.replace("/app/", "/api/auth/"));
  const body = { password: "another quiet canoe" };
  expect((await aBrowser(api).send("GET", url!)).json()).toEqual({ data: { email: member.email } });
  expect((await aBrowser(api).send("POST", url!, body)).statusCode).toBe(204);
  for (const used of [url!, other!])
    expect((await aBrowser(api).send("POST", used, body)).statusCode).toBe(404);
  expect((await before.send("GET", "/api/auth/me")).statusCode).toBe(401);
  const now = await aBrowser(api).send("POST", "/api/auth/sign-in", {
    email: member.email,
    ...body,
  });
  expect(now.statusCode).toBe(200);
});

test("asking for a new password says nothing of who has an account", async () => {
  const member = await aMember(api, organization, "viewer");
  const [known, unknown] = await Promise.all(
    [member.email, "nobody@example.com"].map((email) =>
      aBrowser(api).send("POST", "/api/auth/resets", { email }),
    ),
  );
  expect([known!.statusCode, known!.body]).toEqual([202, unknown!.body]);
});

test("an operator makes a link for a user, and adds an operator", async () => {
  const member = await aMember(api, organization, "viewer");
  const operator = await signedIn(api, await anOperator(api), "/api/auth/operator/sign-in");
  const found = await operator.send("GET", `/api/admin/users?q=${member.email.slice(4, 20)}`);
  expect(found.json()).toMatchObject({
    data: [{ id: member.id, memberships: [{ role: "viewer" }] }],
  });
  const made = await operator.send("POST", `/api/admin/users/${member.id}/reset-link`);
  expect(made.json<{ data: { link: string } }>().data.link).toMatch(
    /\/app\/resets\/wb_lnk_\w{46}$/,
  );
  const added = await operator.send("POST", "/api/admin/operators", { email: "New@example.com" });
  const { link } = added.json<{ data: { link: string } }>().data;
  const url = new URL(link).pathname.replace("/app/", "/api/auth/");
  expect((await aBrowser(api).send("POST", url, { password })).statusCode).toBe(204);
  await signedIn(api, { email: "new@example.com" }, "/api/auth/operator/sign-in");
});

test("a program gets a token once a person has approved it, and no second one", async () => {
  const program = aBrowser(api);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const begun = await program.send("POST", "/api/auth/device", { client_id: "cli" });
  const { device_code, user_code } = begun.json<{ device_code: string; user_code: string }>();
  const ask = () => program.send("POST", "/api/auth/device/token", { device_code });
  expect((await ask()).json()).toEqual({ error: "authorization_pending" });
  expect((await ask()).json()).toEqual({ error: "slow_down" });
  const viewer = await signedIn(api, await aMember(api, organization, "viewer"));
  const approval = { user_code, scopes: ["rates:read"], environment: "test", name: "CLI" };
  expect((await viewer.send("POST", "/api/auth/device/approve", approval)).statusCode).toBe(403);
  expect((await owner.send("GET", `/api/auth/device?user_code=${user_code}`)).json()).toMatchObject(
    {
      data: { client: "cli" },
    },
  );
  expect((await owner.send("POST", "/api/auth/device/approve", approval)).statusCode).toBe(204);
  const granted = await ask();
  expect(granted.json()).toMatchObject({
    token_type: "Bearer",
    scope: "rates:read",
    environment: "test",
  });
  expect((await ask()).json()).toEqual({ error: "invalid_grant" });
  const { access_token } = granted.json<{ access_token: string }>();
  const called = await program.send("GET", "/sandbox/api/v5/shipments", undefined, {
    ...form,
    authorization: `Bearer ${access_token}`,
  });
  expect(called.json()).toMatchObject({ error: { code: "scope_missing" } });
});

test("the document of people's API has each error of the sign-in of a program", async () => {
  const document = (await api.app.inject("/api/auth/openapi.json")).json<Document>();
  const { compile } = standardValidator(document);
  const program = aBrowser(api);
  const begun = await program.send("POST", "/api/auth/device", {});
  const { device_code, user_code } = begun.json<{ device_code: string; user_code: string }>();
  const scopes = ["rates:read"];
  const approval = { user_code: "BBBB-CCCC", scopes, environment: "test", name: "CLI" };
  for (const [browser, method, path, body, error] of [
    [program, "POST", "/device/token", {}, "invalid_request"],
    [program, "POST", "/device/token", { device_code: "" }, "invalid_request"],
    [program, "POST", "/device/token", { grant_type: "password" }, "unsupported_grant_type"],
    [program, "POST", "/device/token", { device_code: "dev_none" }, "invalid_grant"],
    [program, "POST", "/device/token", { device_code }, "authorization_pending"],
    [program, "POST", "/device/token", { device_code: 5 }, { code: "validation_failed" }],
    [owner, "GET", "/device?user_code=x", undefined, { code: "not_found" }],
    [owner, "POST", "/device/approve", approval, { code: "not_found" }],
    [owner, "POST", "/device/approve", { ...approval, user_code }, undefined],
  ] as const) {
    const answer = await browser.send(method, `/api/auth${path}`, body);
    if (error === undefined) expect(answer.statusCode, answer.body).toBe(204);
    else expect(answer.json()).toMatchObject({ error });
    if (error !== undefined) expectStated(path, method, answer);
  }
  const malformed = await api.app.inject({
    method: "POST",
    url: "/api/auth/device/token",
    headers: { "sec-fetch-site": "same-origin", "content-type": "application/json" },
    payload: "{",
  });
  expect(malformed.json()).toMatchObject({ error: { code: "malformed_json" } });
  expectStated("/device/token", "POST", malformed);

  function expectStated(path: string, method: string, answer: typeof malformed) {
    const { responses } = document.paths[path.split("?")[0]!]![method.toLowerCase()]!;
    const stated = responses[String(answer.statusCode)]!;
    const name = stated.$ref?.split("/").at(-1);
    const { content } = name === undefined ? stated : document.components.responses[name]!;
    const check = compile(content!["application/json"]!.schema);
    expect([path, check(answer.json()), check.errors]).toEqual([path, true, null]);
  }
});

test("the document of people's API names every route with its audience", async () => {
  const answer = await api.app.inject("/api/auth/openapi.json");
  const { paths } = answer.json<{
    paths: Record<string, Record<string, { "x-audience": string }>>;
  }>();
  expect(Object.keys(paths)).toContain("/organizations/{organization_id}/members/{user_id}");
  for (const operations of Object.values(paths))
    for (const operation of Object.values(operations)) expect(operation["x-audience"]).toBeTruthy();
});
