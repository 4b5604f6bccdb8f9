import { WaybillError } from "@waybill/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formKey } from "./form-key.ts";

/** The key of a form lives from its first call to a final answer. */

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Calls of which each ends as it is told; the keys that they had. */
function calls(form = formKey("buy")) {
  const keys: string[] = [];
  const send = (error?: Partial<ConstructorParameters<typeof WaybillError>[0]>) =>
    form
      .send(async (key) => {
        keys.push(key);
        if (error) throw new WaybillError({ code: "x", message: "", ...error });
      })
      .catch(() => undefined);
  return { keys, send };
}

test("two presses at once are calls with one key", async () => {
  const { keys, send } = calls();
  await Promise.all([send(), send()]);
  expect(new Set(keys).size).toBe(1);
});

test.each([
  ["no answer came", { code: "connection_failed" }],
  ["the server is away", { status: 503 }],
  ["the carrier has not answered", { status: 409, code: "purchase_pending" }],
  ["it is still under way", { status: 409, code: "idempotency_in_progress" }],
  ["there were too many calls", { status: 429 }],
])("after “%s” the next press is the same call, also after a reload", async (_, error) => {
  const before = calls();
  await before.send(error);
  await before.send(error);
  const after = calls(formKey("buy"));
  await after.send();
  expect(new Set([...before.keys, ...after.keys]).size).toBe(1);
  expect(stored.size).toBe(0);
});

test.each([
  ["a success", undefined],
  ["a refusal", { status: 422, code: "validation_failed" }],
])("after %s the next press is another call", async (_, error) => {
  const { keys, send } = calls();
  await send(error);
  await send();
  expect(new Set(keys).size).toBe(2);
});
