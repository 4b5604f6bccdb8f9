import { PassThrough } from "node:stream";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutTokens } from "../../http/tokens.ts";
import { aToken, testApi, type TestApi } from "../../../test/api.ts";
import {
  aBrowser,
  aMember,
  anOperator,
  anOrganization,
  password,
  signedIn,
  type TestOrganization,
} from "../../../test/people.ts";

/** What others may try against people who sign in. */

let api: TestApi;
let organization: TestOrganization;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  organization = await anOrganization(api);
});
afterAll(() => api.close());

const origins = [
  ["another site's", { "sec-fetch-site": "cross-site" }],
  ["another subdomain's", { "sec-fetch-site": "same-site" }],
  [
    "an older browser's at another site",
    { "sec-fetch-site": undefined, origin: "https://evil.example" },
  ],
  ["one of unknown origin", { "sec-fetch-site": undefined }],
] as const;

test.each(origins)(
  "%s POST with the cookie is refused, and changes nothing",
  async (_name, headers) => {
    const browser = await signedIn(api, await aMember(api, organization, "owner"));
    const sent: Record<string, string | undefined> = headers;
    const form = {
      ...sent,
      "content-type": "multipart/form-data; boundary=x",
    };
    const answers = [
      await browser.send("POST", "/sandbox/api/v5/imports/products", "--x--", form),
      await browser.send(
        "POST",
        "/sandbox/api/v5/tokens",
        { name: "x", scopes: ["rates:read"] },
        sent,
      ),
      await browser.send("PUT", "/api/auth/me", { name: "Eve" }, sent),
      await browser.send("POST", "/api/auth/sign-out", {}, sent),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        403,
        { error: { code: "cross_origin" } },
      ]);
    expect((await browser.send("GET", "/api/auth/me", undefined, sent)).statusCode).toBe(200);
  },
);

test("a form of another site cannot sign its reader in", async () => {
  const { email } = await aMember(api, organization, "viewer");
  const browser = aBrowser(api);
  const headers = { "sec-fetch-site": "cross-site" };
  const answer = await browser.send("POST", "/api/auth/sign-in", { email, password }, headers);
  expect(answer.statusCode).toBe(403);
  expect(browser.cookies.size).toBe(0);
});

test("by http behind a proxy that changes the host, the refusal says what to set", async () => {
  const { email } = await aMember(api, organization, "viewer");
  const headers = { "sec-fetch-site": undefined, origin: "http://waybill.lan", host: "127.0.0.1" };
  const sent = (of: Pick<TestApi, "app">) =>
    aBrowser(of).send("POST", "/api/auth/sign-in", { email, password }, headers);
  const refused = await sent(api);
  expect([refused.statusCode, refused.json()]).toMatchObject([
    403,
    { error: { code: "cross_origin" } },
  ]);
  expect(refused.body).toContain("set WAYBILL_PUBLIC_URL to it");
  const settings = { WAYBILL_PUBLIC_URL: "http://waybill.lan" };
  const set = await testApi({ beside: api, settings });
  expect((await sent(set)).statusCode).toBe(200);
  await set.close();
});

test("an operator's cookie is refused from another site as well", async () => {
  const browser = await signedIn(api, await anOperator(api), "/api/auth/operator/sign-in");
  const body = { name: "Eve", owner_email: "eve@example.com" };
  const headers = { "sec-fetch-site": "cross-site" };
  const answer = await browser.send("POST", "/api/admin/organizations", body, headers);
  expect(answer.json()).toMatchObject({ error: { code: "cross_origin" } });
});

test("a cookie that was stolen opens nothing once its person has signed out", async () => {
  const browser = await signedIn(api, await aMember(api, organization, "owner"));
  const stolen = aBrowser(api);
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
  expect((await stolen.send("GET", "/api/v5/shipments")).statusCode).toBe(200);
  expect((await browser.send("POST", "/api/auth/sign-out", {})).statusCode).toBe(204);
  for (const url of ["/api/v5/shipments", "/sandbox/api/v5/shipments", "/api/auth/me"])
    expect((await stolen.send("GET", url)).statusCode).toBe(401);
});

test("a cookie that was planted before a sign-in does not become the person's session", async () => {
  const { email } = await aMember(api, organization, "owner");
  const attacker = await signedIn(api, await aMember(api, organization, "viewer"));
  const planted = [...attacker.cookies];
  const victim = aBrowser(api);
  for (const [name, value] of planted) victim.cookies.set(name, value);
  await victim.send("POST", "/api/auth/sign-in", { email, password });
  expect([...victim.cookies]).not.toEqual(planted);
  expect((await attacker.send("GET", "/api/auth/me")).statusCode).toBe(401);
});

test("of two cookies of one name none is taken", async () => {
  const browser = await signedIn(api, await aMember(api, organization, "viewer"));
  const [[name, value]] = [...browser.cookies] as [[string, string]];
  const headers = { cookie: `${name}=${value}; ${name}=${value}` };
  expect((await browser.send("GET", "/api/auth/me", undefined, headers)).statusCode).toBe(401);
});

test("a removed member's session ends within a second in every process", async () => {
  const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_TOKEN_CACHE_MS: "500" };
  const first = await testApi({ beside: api, settings });
  const second = await testApi({ beside: api, settings });
  const member = await aMember(api, organization, "shipper");
  const owner = await signedIn(first, await aMember(api, organization, "owner"));
  const here = await signedIn(first, member);
  const there = aBrowser(second);
  for (const [name, value] of here.cookies) there.cookies.set(name, value);
  expect((await there.send("GET", "/api/v5/shipments")).statusCode).toBe(200);
  const url = `/api/auth/organizations/${organization.id}/members/${member.id}`;
  expect((await owner.send("DELETE", url)).statusCode).toBe(204);
  const removed = performance.now();
  expect((await here.send("GET", "/api/v5/shipments")).statusCode).toBe(404);
  await expect
    .poll(async () => (await there.send("GET", "/api/v5/shipments")).statusCode, { interval: 20 })
    .toBe(404);
  expect(performance.now() - removed).toBeLessThan(1000);
  await first.close();
  await second.close();
});

test("guessing one person's password slows down, and keeps no one at another address out", async () => {
  const { email } = await aMember(api, organization, "viewer");
  const send = (address: string, given: string) =>
    aBrowser(api, { address }).send("POST", "/api/auth/sign-in", { email, password: given });
  const statuses: number[] = [];
  for (let time = 0; time < 6; time++) statuses.push((await send("192.0.2.6", "wrong")).statusCode);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const right = await send("192.0.2.6", password);
  expect([right.statusCode, right.headers["retry-after"]]).toEqual([429, "1"]);
  expect((await send("192.0.2.1", password)).statusCode).toBe(200);
});

test("behind a proxy that is trusted each client has its own count, and no other client says where it is", async () => {
  const limited = await testApi({
    beside: api,
    settings: { WAYBILL_TRUSTED_PROXIES: "192.0.2.0/29" },
  });
  const status = async (address: string, forwarded: string) => {
    const answer = await limited.app.inject({
      method: "POST",
      url: "/api/auth/sign-in",
      remoteAddress: address,
      headers: { "x-forwarded-for": forwarded, "sec-fetch-site": "same-origin" },
      payload: { email: `unknown${crypto.randomUUID()}@example.com`, password: "wrong" },
    });
    return answer.statusCode;
  };
  // What a client wrote itself stands before what the proxy saw.
  for (let time = 0; time < 20; time++)
    expect(await status("192.0.2.1", `198.51.100.${time}, 203.0.113.7`)).toBe(401);
  expect(await status("192.0.2.1", "203.0.113.7")).toBe(429);
  expect(await status("192.0.2.1", "203.0.113.8")).toBe(401);
  for (let time = 0; time < 20; time++)
    expect(await status("203.0.113.9", `198.51.100.${time}`)).toBe(401);
  expect(await status("203.0.113.9", "198.51.100.99")).toBe(429);
  await limited.close();
});

test("an address with too many failures is refused before a password is computed", async () => {
  const limited = await testApi({ beside: api });
  let computed = 0;
  for (let time = 0; time < 30; time++) {
    const body = { email: `nobody${time}@example.com`, password: "wrong" };
    const answer = await aBrowser(limited).send("POST", "/api/auth/sign-in", body);
    if (answer.statusCode === 401) computed += 1;
    else expect(answer.statusCode).toBe(429);
  }
  expect(computed).toBe(20);
  await limited.close();
});

const ofStrangers = [
  "/api/auth/sign-in",
  "/api/auth/sign-out",
  "/api/auth/operator/sign-in",
  "/api/auth/invitations/any",
  "/api/auth/resets",
  "/api/auth/resets/any",
  "/api/auth/device",
  "/api/auth/device/token",
];

test.each(ofStrangers)("a body of more than 16 KiB from anybody is refused at %s", async (url) => {
  const answer = await aBrowser(api).send("POST", url, { text: "x".repeat(16_384) });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    413,
    { error: { code: "payload_too_large" } },
  ]);
});

test("a form of more than 8 KiB from anybody is refused; one of the longest texts is read", async () => {
  const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
  const send = (payload: string) =>
    api.app.inject({
      method: "POST",
      url: "/api/auth/device/token",
      headers: { ...urlencoded, "sec-fetch-site": "same-origin" },
      payload,
    });
  expect((await send("a&".repeat(4_097))).statusCode).toBe(413);
  const longest = encodeURIComponent("🚚".repeat(200));
  const grant_type = encodeURIComponent("urn:ietf:params:oauth:grant-type:device_code");
  const read = await send(
    `grant_type=${grant_type}&device_code=${longest}&client_id=${longest}&scope=${longest}`,
  );
  expect([read.statusCode, read.json()]).toEqual([400, { error: "invalid_grant" }]);
});

test("a token never makes a user: the API of people takes no Authorization header", async () => {
  const token = await aToken(api, organization.live, { scopes: ["tokens:manage"] });
  const answer = await aBrowser(api).send("GET", "/api/auth/me", undefined, {
    authorization: `Bearer ${token}`,
  });
  expect(answer.statusCode).toBe(401);
});

test("no password, cookie, link or code is in any stored row or line of the log", async () => {
  const lines: string[] = [];
  const sink = new PassThrough().on("data", (chunk: Buffer) => lines.push(chunk.toString()));
  const log = pino({ level: "trace", hooks: { streamWrite: withoutTokens } }, sink);
  const logged = await testApi({ beside: api, settings: { WAYBILL_RATE_LIMITS: "off" }, log });
  const secrets: string[] = [password];
  const person = await aMember(api, organization, "owner");
  const browser = await signedIn(logged, person);
  secrets.push(...browser.cookies.values());
  const [cookie] = [...browser.cookies.values()];
  // A client that names its request by a secret, too.
  await browser.send("GET", "/api/v5/shipments", undefined, {
    "x-request-id": cookie!.slice(0, 64),
  });
  const started = await browser.send("POST", "/api/auth/me/totp");
  secrets.push(started.json<{ data: { secret: string } }>().data.secret);
  const invited = await browser.send(
    "POST",
    `/api/auth/organizations/${organization.id}/invitations`,
    { email: "new@example.com", role: "viewer" },
  );
  const { link } = invited.json<{ data: { link: string } }>().data;
  secrets.push(link.split("/").at(-1)!);
  const device = await browser.send("POST", "/api/auth/device", {});
  const { device_code, user_code } = device.json<{ device_code: string; user_code: string }>();
  secrets.push(device_code, user_code);
  await browser.send("POST", "/api/auth/sign-in", {
    email: person.email,
    password: "a wrong password",
  });
  secrets.push("a wrong password");
  const invitation = `/api/auth/invitations/${link.split("/").at(-1)}`;
  expect((await browser.send("GET", invitation)).statusCode).toBe(200);
  // What fails inside is logged with all that is known of it.
  const chosen = "a password that was never stored";
  secrets.push(chosen);
  await sql`ALTER TABLE invitations RENAME TO invitations_away`.execute(api.db);
  const failed = await browser.send("POST", invitation, { name: "New", password: chosen });
  await sql`ALTER TABLE invitations_away RENAME TO invitations`.execute(api.db);
  expect(failed.statusCode).toBe(500);
  expect(lines.filter((line) => line.includes('"request.answered"'))).toHaveLength(8);
  expect(lines.some((line) => line.includes("relation") && line.includes("invitations"))).toBe(
    true,
  );
  await logged.close();
  const { rows } = await sql<{ dump: string }>`
    SELECT query_to_xml(format('SELECT * FROM %I', relname), true, false, '')::text AS dump FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`.execute(
    api.db,
  );
  const all = rows.map(({ dump }) => dump).join("\n") + lines.join("\n");
  expect(all).toContain(person.email);
  for (const secret of secrets) expect(all.includes(secret), secret.slice(0, 12)).toBe(false);
});
