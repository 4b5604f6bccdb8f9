import type { InjectOptions } from "fastify";
import { json } from "../src/database/tables.ts";
import { hashPassword } from "../src/domain/accounts/password-hash.ts";
import type { Role } from "../src/domain/accounts/roles.ts";
import { newId } from "../src/domain/values/ids.ts";
import { insertMember, insertOperator, insertUser } from "../src/resources/auth/service.ts";
import type { TestApi } from "./api.ts";

/** People of a test: an organization with its two accounts, members, and browsers that keep cookies. */

export const password = "a quiet blue canoe";
let hashed: Promise<string> | undefined;

export interface TestOrganization {
  id: string;
  live: { account_id: string; environment: "live" };
  test: { account_id: string; environment: "test" };
}

export async function anOrganization({ db }: Pick<TestApi, "db">): Promise<TestOrganization> {
  const id = newId("org");
  await db
    .insertInto("organizations")
    .values({ id, name: "Maple Goods", owner_email: "owner@example.com" })
    .execute();
  const live = { account_id: newId("acc"), environment: "live" as const };
  const test = { account_id: newId("acc"), environment: "test" as const };
  for (const account of [live, test])
    await db
      .insertInto("accounts")
      .values({
        ...account,
        organization_id: id,
        default_from_address: json(null),
        suspended_at: null,
      })
      .execute();
  return { id, live, test };
}

interface TestPerson {
  id: string;
  email: string;
}

/** A member with the password of this file. */
export async function aMember(
  { db }: Pick<TestApi, "db">,
  organization: { id: string },
  role: Role,
): Promise<TestPerson> {
  const id = newId("usr");
  const email = `${id}@example.com`;
  const password_hash = await (hashed ??= hashPassword(password));
  await db.transaction().execute(async (tx) => {
    await insertUser(tx, { id, email, name: "Ada", password_hash });
    await insertMember(tx, { organization_id: organization.id, user_id: id, role });
  });
  return { id, email };
}

export async function anOperator({ db }: Pick<TestApi, "db">): Promise<TestPerson> {
  const id = newId("opr");
  const email = `${id}@example.com`;
  const password_hash = await (hashed ??= hashPassword(password));
  await db
    .transaction()
    .execute((tx) => insertOperator(tx, { id, email, name: "Grace", password_hash }));
  return { id, email };
}

type Method = NonNullable<InjectOptions["method"]>;

/** A browser on our own pages: it keeps cookies, and says where its requests come from. */
export interface Browser {
  cookies: Map<string, string>;
  send(
    method: Method,
    url: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): ReturnType<typeof inject>;
}

export function aBrowser(
  { app }: Pick<TestApi, "app">,
  { address = "127.0.0.1" }: { address?: string } = {},
): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send(method, url, body, headers = {}) {
      const response = await inject(app, {
        method,
        url,
        remoteAddress: address,
        headers: stated({
          "sec-fetch-site": "same-origin",
          ...(cookies.size > 0 ? { cookie: cookieHeader(cookies) } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        }),
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      for (const { name, value, maxAge } of response.cookies)
        if (maxAge === 0) cookies.delete(name);
        else cookies.set(name, value);
      return response;
    },
  };
}

function inject(app: TestApi["app"], options: InjectOptions) {
  return app.inject(options);
}

/** Without those that are not sent. */
function stated(headers: Record<string, string | undefined>): Record<string, string> {
  const sent = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(sent);
}

function cookieHeader(cookies: Map<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** A browser in which the person has signed in. */
export async function signedIn(
  api: Pick<TestApi, "app">,
  { email }: { email: string },
  path = "/api/auth/sign-in",
): Promise<Browser> {
  const browser = aBrowser(api);
  const response = await browser.send("POST", path, { email, password });
  if (response.statusCode !== 200) throw new Error(`not signed in: ${response.body}`);
  return browser;
}
