import { expect } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { aRule, when, type Rule, type RuleEntry } from "../../../test/rules.ts";
import { aShipment } from "../../../test/shipments.ts";
import { manualClock, type Clock } from "../../domain/time/clock.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";

/** An API, a second process, and accounts that save rules and ship under them. */

export const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_RULES_MAX: "60" };

export interface RulesWorld {
  api: TestApi;
  /** Another process on the same database. */
  beside: TestApi;
  clock: Clock & { advance(ms: number): void };
  /** An account whose token `send` uses when it is given none. */
  account: TestAccount;
  send(
    method: Method,
    path: string,
    body?: unknown,
    token?: string,
    headers?: Record<string, string>,
  ): Promise<Response>;
  save(entry?: RuleEntry, token?: string): Promise<Rule>;
  /** A token of every scope, of an account of its own. */
  aShop(): Promise<string>;
  ship(token: string, entry?: object): Promise<SavedResource>;
  full: string;
  close(): Promise<void>;
}

export type Response = Awaited<ReturnType<typeof call>>;
export type Method = "GET" | "POST" | "PUT" | "DELETE";
export interface SavedResource {
  id: string;
  [field: string]: unknown;
}

export async function rulesWorld(): Promise<RulesWorld> {
  const clock = manualClock(new Date("2026-03-10T12:00:00.000Z"));
  const api = await testApi({ settings, clock });
  const beside = await testApi({ settings, clock, beside: api });
  const scopes = [...knownScopes];
  const account = await anAccount(api);
  const full = await aToken(api, account, { scopes });
  const send: RulesWorld["send"] = (method, path, body, token = full, headers = {}) =>
    call(api, { token, method, path, body, headers });
  return {
    api,
    beside,
    clock,
    account,
    full,
    send,
    save: async (entry = {}, token = full) =>
      dataOf<Rule>(await send("POST", "/rules", aRule(entry), token), 201),
    aShop: async () => aToken(api, await anAccount(api), { scopes }),
    ship: async (token, entry = {}) =>
      dataOf<SavedResource>(
        await send("POST", "/shipments", { ...aShipment(), ...entry }, token),
        201,
      ),
    async close() {
      await beside.close();
      await api.close();
    },
  };
}

export function dataOf<T>(response: Response, status = 200): T {
  expect(response.statusCode, response.body).toBe(status);
  return response.json<{ data: T }>().data;
}

export function errorOf(response: Response) {
  return response.json<{ error: { code: string; details: Record<string, unknown> } }>().error;
}

export function problems(response: Response): Record<string, unknown> {
  expect(response.statusCode, response.body).toBe(422);
  return errorOf(response).details;
}

/** All that a PUT needs. */
export const whole = {
  name: "Heavy",
  enabled: true,
  priority: 3,
  trigger: "shipment.created",
  criteria: when("package_count", "gt", 1),
  actions: [{ type: "add_tag", tag: "heavy" }],
  stop_processing: true,
};
