import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { methods } from "../methods.ts";
import { createWaybill } from "../src/index.ts";
import { aFetch } from "./fakes.ts";

interface Document {
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>;
}

const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as Document;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, { operationId }]) => ({ path, verb, operationId })),
);

test("every operation of the document has exactly one method", () => {
  expect(Object.keys(methods).toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  );
  expect(new Set(Object.values(methods)).size).toBe(operations.length);
});

test.each(operations)("$operationId calls $verb $path", async ({ path, verb, operationId }) => {
  const server = aFetch(() => new Response('{"data":[],"meta":{},"links":{}}', { status: 200 }));
  const [resource = "", name = ""] = methods[operationId]!.split(".");
  const waybill = createWaybill({ ...server, maxRetries: 0 }) as unknown as Record<
    string,
    Record<string, (...input: unknown[]) => unknown>
  >;
  const ids = [...path.matchAll(/\{\w+\}/g)].map((_, place) => `id_${place}`);
  await consume(waybill[resource]![name]!(...ids));
  const [call] = server.calls;
  expect(call!.method).toBe(verb.toUpperCase());
  let place = 0;
  const filled = path.replaceAll(/\{\w+\}/g, () => `id_${place++}`);
  expect(call!.url.pathname).toBe(`/sandbox/api/v5${filled}`);
});

/** The first of what a method gives: an answer, a page, or the beginning of a stream that never began. */
async function consume(result: unknown): Promise<void> {
  if (typeof result === "object" && Symbol.asyncIterator in result!) {
    const iterator = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    const first = iterator.next();
    if ("page" in result) await first;
    else await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
    return;
  }
  await (result as Promise<unknown>);
}

test("the doc comment of every method has its scopes and its errors, and no type is `any`", () => {
  const text = readFileSync("sdk/generated/resources.ts", "utf8");
  const members = [...text.matchAll(/\/\*\*([^]*?)\*\/\n {2}(\w+)\(/g)];
  expect(members).toHaveLength(operations.length);
  for (const [, doc, name] of members) {
    expect(doc, name).toMatch(/Scopes: (`[a-z]+:[a-z]+`|any token)/);
    expect(doc, name).toMatch(/Errors: (`\w+`(, )?)+\./);
  }
  for (const file of ["resources", "types"]) {
    const code = readFileSync(`sdk/generated/${file}.ts`, "utf8").replaceAll(
      /\/\*\*[^]*?\*\//g,
      "",
    );
    expect(code).not.toMatch(/[:<|] ?any\b/);
  }
});
