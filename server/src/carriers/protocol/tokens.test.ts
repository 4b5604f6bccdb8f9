import { expect, test } from "vitest";
import { manualClock } from "../../domain/time/clock.ts";
import type { CarrierConnection } from "../connection.ts";
import { tokenCache, type IssuedToken, type WantedToken } from "./tokens.ts";

const connection: CarrierConnection = {
  id: "con_1",
  environment: "test",
  origin: "platform",
  version: 1,
  values: {},
  secrets: {},
};
const { signal } = new AbortController();

/** A cache, and a carrier that numbers its tokens, each good for a thousand seconds. */
function world() {
  const clock = manualClock(new Date("2026-10-05T12:00:00Z"));
  const tokens = tokenCache(clock);
  let asked = 0;
  let failing = false;
  const ask = async (): Promise<IssuedToken> => {
    asked += 1;
    if (failing) throw new Error("no token");
    return Promise.resolve({ token: `token_${asked}`, life_seconds: 1_000 });
  };
  const wanted = (terms: Partial<CarrierConnection> = {}, audience = "api"): WantedToken => ({
    connection: { ...connection, ...terms },
    audience,
    ask,
  });
  return {
    clock,
    tokens,
    wanted,
    asked: () => asked,
    fail: (fails: boolean) => (failing = fails),
  };
}

test("callers at once share one token, which is asked for once", async () => {
  const { tokens, wanted, asked } = world();
  const all = await Promise.all(Array.from({ length: 50 }, () => tokens.get(wanted(), signal)));
  expect(new Set(all)).toEqual(new Set(["token_1"]));
  expect(asked()).toBe(1);
});

test("a token is renewed when nine tenths of its life are over", async () => {
  const { tokens, wanted, clock } = world();
  expect(await tokens.get(wanted(), signal)).toBe("token_1");
  clock.advance(899_000);
  expect(await tokens.get(wanted(), signal)).toBe("token_1");
  clock.advance(1_000);
  expect(await tokens.get(wanted(), signal)).toBe("token_2");
});

test("each connection, version and audience has a token of its own", async () => {
  const { tokens, wanted } = world();
  const all = [wanted(), wanted({ id: "con_2" }), wanted({}, "payments"), wanted({ version: 2 })];
  const issued: string[] = [];
  for (const each of all) issued.push(await tokens.get(each, signal));
  expect(new Set(issued).size).toBe(4);
  expect(await tokens.get(wanted({ version: 2 }), signal)).toBe("token_4");
});

test("a failure is thrown to all who wait, and the next call asks again", async () => {
  const { tokens, wanted, fail, asked } = world();
  fail(true);
  const both = await Promise.allSettled([
    tokens.get(wanted(), signal),
    tokens.get(wanted(), signal),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fail(false);
  expect(await tokens.get(wanted(), signal)).toBe("token_2");
  expect(asked()).toBe(2);
});

test("a dropped token is not used again, and a newer one is not dropped for an older", async () => {
  const { tokens, wanted } = world();
  expect(await tokens.get(wanted(), signal)).toBe("token_1");
  tokens.drop(wanted(), "token_1");
  expect(await tokens.get(wanted(), signal)).toBe("token_2");
  tokens.drop(wanted(), "token_1");
  expect(await tokens.get(wanted(), signal)).toBe("token_2");
});

test("a caller that gives up leaves the token to the others", async () => {
  const { tokens, wanted, asked } = world();
  const abort = new AbortController();
  const both = [tokens.get(wanted(), abort.signal), tokens.get(wanted(), signal)];
  abort.abort();
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(asked()).toBe(1);
});
