import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createWaybill } from "../src/index.ts";
import { aFetch } from "./fakes.ts";

const perPage = 100;

/** A list of so many rows, of which no answer exists before it is asked for. */
function aList(rows: number) {
  return aFetch((_, url) => {
    const start = Number(url.searchParams.get("cursor") ?? 0);
    const length = Math.min(perPage, rows - start);
    const data = Array.from({ length }, (_, place) => ({ id: `shp_${start + place}` }));
    const next = start + length < rows ? String(start + length) : null;
    return Response.json({ data, meta: { next_cursor: next }, links: { next } });
  });
}

test("10,000 rows are read one page at a time, and no page is kept", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const list = aList(10_000);
  const pages: WeakRef<object>[] = [];
  let count = 0;
  for await (const page of createWaybill(list).shipments.list().pages()) {
    pages.push(new WeakRef(page));
    count += page.data.length;
    expect(list.calls).toHaveLength(pages.length);
  }
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect([count, pages.length]).toEqual([10_000, 100]);
  expect(pages.filter((page) => page.deref()).length).toBeLessThanOrEqual(2);
});

test("entries come in order, each once; a loop that is left asks for nothing more", async () => {
  const list = aList(250);
  const shipments = createWaybill(list).shipments.list({ status: ["draft"] });
  expect(list.calls).toHaveLength(0);
  const ids: string[] = [];
  for await (const { id } of shipments) ids.push(id);
  expect(ids).toEqual(Array.from({ length: 250 }, (_, place) => `shp_${place}`));
  expect(list.calls.every(({ url }) => url.searchParams.get("status") === "draft")).toBe(true);
  expect(list.calls).toHaveLength(3);
  for await (const { id } of shipments) if (id === "shp_3") break;
  expect(list.calls).toHaveLength(4);
  expect(await shipments.toArray({ max: 101 })).toHaveLength(101);
  expect(list.calls).toHaveLength(6);
  expect(await shipments.toArray({ max: 0 })).toEqual([]);
});
