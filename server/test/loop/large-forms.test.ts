import { afterAll, beforeAll, expect, test } from "vitest";
import { knownScopes } from "../../src/domain/accounts/scopes.ts";
import { baseOf } from "../../src/http/authenticate.ts";
import { anAccount, aToken, testApi, type TestApi } from "../api.ts";
import { longestStretchMs } from "./stretch.ts";

/** Forms as large as a call accepts, with as many parts or headers as they have room for. */

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi({ settings: { WAYBILL_RATE_LIMITS: "off" } });
  token = await aToken(api, await anAccount(api), { scopes: [...knownScopes] });
  // What is loaded at the first call is no promise of these tests.
  await postForm([part("")]);
});
afterAll(() => api.close());

interface Refusal {
  error: { code: string; message: string; details: Record<string, unknown> };
}

const boundary = "----files-of-a-test";
const part = (head: string, content = "") =>
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f.csv"\r\n${head}\r\n${content}\r\n`;

async function postForm(parts: string[]) {
  const payload = Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": `multipart/form-data; boundary=${boundary}`,
  };
  const url = `${baseOf.test}/imports/products`;
  let reply: Awaited<ReturnType<typeof api.app.inject>> | undefined;
  const longest = await longestStretchMs(async () => {
    reply = await api.app.inject({ method: "POST", url, headers, payload });
  });
  return { status: reply!.statusCode, ...reply!.json<Refusal>(), longest };
}

test("a form of more parts than any has fields is refused without blocking the event loop", async () => {
  const { status, error, longest } = await postForm(Array<string>(40_000).fill(part("")));
  expect([status, error]).toMatchObject([
    422,
    { code: "validation_failed", details: { body: ["body has more than 10 parts."] } },
  ]);
  expect(longest).toBeLessThan(50);
});

test("a form with a part of endless headers is refused without blocking the event loop", async () => {
  const { status, error, longest } = await postForm([part("x-a: b\r\n".repeat(600_000))]);
  expect([status, error]).toMatchObject([
    400,
    { code: "bad_request", message: "The headers of a part are longer than 8192 bytes." },
  ]);
  expect(longest).toBeLessThan(50);
});
