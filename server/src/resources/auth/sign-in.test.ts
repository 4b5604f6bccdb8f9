import { randomBytes, scryptSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeAt, stepAt } from "../../domain/accounts/totp.ts";
import { testApi, type TestApi } from "../../../test/api.ts";
import {
  aBrowser,
  aMember,
  anOperator,
  anOrganization,
  password,
  signedIn,
  type TestOrganization,
} from "../../../test/people.ts";

let api: TestApi;
let organization: TestOrganization;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  organization = await anOrganization(api);
});
afterAll(() => api.close());

test("a password signs in, and the cookie calls both base addresses with the role's scopes", async () => {
  const shipper = await aMember(api, organization, "shipper");
  const browser = await signedIn(api, shipper);
  const me = await browser.send("GET", "/api/auth/me");
  expect(me.json()).toMatchObject({
    data: {
      user: { id: shipper.id, email: shipper.email, has_totp: false },
      memberships: [{ organization: { id: organization.id }, role: "shipper" }],
      strong_until: expect.any(String) as string,
    },
  });
  for (const base of ["/api/v5", "/sandbox/api/v5"]) {
    expect((await browser.send("GET", `${base}/shipments`)).statusCode).toBe(200);
    const refused = await browser.send("GET", `${base}/tokens`);
    expect(refused.json()).toMatchObject({ error: { code: "scope_missing" } });
  }
});

test("the cookie is of this host alone, out of reach of scripts, and Secure under https", async () => {
  const member = await aMember(api, organization, "viewer");
  const plain = await aBrowser(api).send("POST", "/api/auth/sign-in", {
    email: member.email,
    password,
  });
  expect(plain.headers["set-cookie"]).toMatch(
    /^waybill=wb_ses_\w{46}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
  );
  expect(plain.headers["cache-control"]).toBe("no-store");
  const secure = await testApi({
    beside: api,
    settings: { WAYBILL_PUBLIC_URL: "https://ship.example.com" },
  });
  const answer = await aBrowser(secure).send("POST", "/api/auth/sign-in", {
    email: member.email,
    password,
  });
  expect(answer.headers["set-cookie"]).toMatch(
    /^__Host-waybill=wb_ses_\w{46}; Path=\/; .*; Secure$/,
  );
  await secure.close();
});

test("a page by http gets no cookie for https alone, but a sentence that says what to set", async () => {
  const { email } = await aMember(api, organization, "viewer");
  const public_url = "https://ship.example.com";
  const secure = await testApi({ beside: api, settings: { WAYBILL_PUBLIC_URL: public_url } });
  const from = (origin: string) => {
    const headers = { "sec-fetch-site": undefined, origin, host: new URL(origin).host };
    return aBrowser(secure).send("POST", "/api/auth/sign-in", { email, password }, headers);
  };
  for (const origin of ["http://waybill.lan:8080", "http://192.168.1.5", "http://[fd00::2]:8080"]) {
    const answer = await from(origin);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { error: { code: "https_required", details: { public_url } } },
    ]);
    expect(answer.body).toContain("set WAYBILL_PUBLIC_URL to the http address");
  }
  // Browsers keep Secure cookies of a page of their own machine.
  for (const origin of ["https://ship.example.com", "http://localhost:8080", "http://[::1]:8080"])
    expect((await from(origin)).statusCode).toBe(200);
  await secure.close();
});

test("an unknown e-mail and a wrong password are the same answer, byte for byte", async () => {
  const member = await aMember(api, organization, "viewer");
  const tries = [
    { email: member.email, password: "not this one" },
    { email: "nobody@example.com", password },
  ];
  const [wrong, unknown] = await Promise.all(
    tries.map((body) => aBrowser(api).send("POST", "/api/auth/sign-in", body)),
  );
  expect([wrong!.statusCode, unknown!.statusCode]).toEqual([401, 401]);
  expect(wrong!.rawPayload).toEqual(unknown!.rawPayload);
  expect(Object.keys(wrong!.headers)).toEqual(Object.keys(unknown!.headers));
});

test("a hash of an earlier release signs in, and is made anew", async () => {
  const member = await aMember(api, organization, "viewer");
  const salt = randomBytes(16);
  const former = `scrypt:${salt.toString("hex")}:${scryptSync(password, salt, 32).toString("hex")}`;
  await api.db
    .updateTable("users")
    .set({ password_hash: former })
    .where("id", "=", member.id)
    .execute();
  await signedIn(api, member);
  const { password_hash } = await api.db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", member.id)
    .executeTakeFirstOrThrow();
  expect(password_hash).toMatch(/^\$argon2id\$/);
  await signedIn(api, member);
});

test("with a second factor the password alone opens nothing, and a code works once", async () => {
  const member = await aMember(api, organization, "owner");
  const browser = await signedIn(api, member);
  const started = await browser.send("POST", "/api/auth/me/totp");
  const { secret } = started.json<{ data: { secret: string } }>().data;
  const step = stepAt(new Date());
  const confirmed = await browser.send("POST", "/api/auth/me/totp/confirm", {
    code: codeAt(secret, step),
  });
  const { recovery_codes } = confirmed.json<{ data: { recovery_codes: string[] } }>().data;
  expect(recovery_codes).toHaveLength(10);

  const other = aBrowser(api);
  const first = await other.send("POST", "/api/auth/sign-in", { email: member.email, password });
  expect(first.json()).toMatchObject({ data: { memberships: [], next: "totp" } });
  for (const url of ["/api/auth/me", "/api/v5/shipments"])
    expect((await other.send("GET", url)).statusCode).toBe(401);
  const used = await other.send("POST", "/api/auth/sign-in/totp", { code: codeAt(secret, step) });
  expect(used.statusCode).toBe(401);
  const half = new Map(other.cookies);
  const finished = await other.send("POST", "/api/auth/sign-in/totp", {
    code: codeAt(secret, step + 1),
  });
  expect(finished.json()).toMatchObject({ data: { next: null } });
  expect(other.cookies).not.toEqual(half);
  expect((await other.send("GET", "/api/auth/me")).statusCode).toBe(200);

  for (const status of [200, 401]) {
    const third = await signedIn(api, member);
    const answer = await third.send("POST", "/api/auth/sign-in/totp", { code: recovery_codes[0] });
    expect(answer.statusCode).toBe(status);
  }
});

test("a token of a live account needs a password that was just given", async () => {
  const owner = await aMember(api, organization, "owner");
  const browser = await signedIn(api, owner);
  const body = { name: "Mine", scopes: ["rates:read"] };
  expect((await browser.send("POST", "/api/v5/tokens", body)).statusCode).toBe(201);
  await api.db
    .updateTable("sessions")
    .set({ strong_until: new Date(0) })
    .where("user_id", "=", owner.id)
    .execute();
  const refused = await browser.send("POST", "/api/v5/tokens", body);
  expect([refused.statusCode, refused.json()]).toMatchObject([
    403,
    { error: { code: "strong_required" } },
  ]);
  expect((await browser.send("POST", "/sandbox/api/v5/tokens", body)).statusCode).toBe(201);
  expect((await browser.send("POST", "/api/auth/strong", { password: "wrong" })).statusCode).toBe(
    401,
  );
  expect((await browser.send("POST", "/api/auth/strong", { password })).statusCode).toBe(200);
  const made = await browser.send("POST", "/api/v5/tokens", body);
  expect(made.json()).toMatchObject({ data: { created_by: owner.id } });
});

test("a member of two organizations names one, and of a third finds nothing", async () => {
  const other = await anOrganization(api);
  const member = await aMember(api, organization, "viewer");
  await api.db
    .insertInto("memberships")
    .values({ organization_id: other.id, user_id: member.id, role: "owner" })
    .execute();
  const browser = await signedIn(api, member);
  const unsaid = await browser.send("GET", "/api/v5/shipments");
  expect([unsaid.statusCode, unsaid.json()]).toMatchObject([
    400,
    {
      error: {
        code: "organization_required",
        details: { organizations: [{ id: organization.id }, { id: other.id }] },
      },
    },
  ]);
  const named = (id: string) =>
    browser.send("GET", "/api/v5/tokens", undefined, { "x-waybill-organization": id });
  expect((await named(other.id)).statusCode).toBe(200);
  expect((await named(organization.id)).statusCode).toBe(403);
  const third = await anOrganization(api);
  expect((await named(third.id)).statusCode).toBe(404);
});

test("an operator's cookie opens the operator's API, and a user's does not", async () => {
  const operator = await signedIn(api, await anOperator(api), "/api/auth/operator/sign-in");
  expect((await operator.send("GET", "/api/admin/health")).statusCode).toBe(200);
  const user = await signedIn(api, await aMember(api, organization, "owner"));
  expect((await user.send("GET", "/api/admin/health")).statusCode).toBe(401);
  expect((await operator.send("GET", "/api/v5/shipments")).statusCode).toBe(401);
});

test("where others reach Waybill, an operator sets up a second factor first", async () => {
  const beside = await testApi({
    beside: api,
    settings: { WAYBILL_PUBLIC_URL: "http://ship.example.com", WAYBILL_RATE_LIMITS: "off" },
  });
  const browser = aBrowser(beside);
  const { email } = await anOperator(api);
  const first = await browser.send("POST", "/api/auth/operator/sign-in", { email, password });
  expect(first.json()).toMatchObject({ data: { next: "totp_setup" } });
  expect((await browser.send("GET", "/api/admin/health")).statusCode).toBe(401);
  const started = await browser.send("POST", "/api/auth/operator/me/totp");
  const { secret } = started.json<{ data: { secret: string } }>().data;
  const code = codeAt(secret, stepAt(new Date()));
  const confirmed = await browser.send("POST", "/api/auth/operator/me/totp/confirm", { code });
  expect(confirmed.statusCode).toBe(200);
  expect((await browser.send("GET", "/api/admin/health")).statusCode).toBe(200);
  await beside.close();
});
