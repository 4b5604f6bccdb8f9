import { AsyncLocalStorage } from "node:async_hooks";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, type TestApi } from "../../../test/api.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Platform } from "../../context.ts";
import { builtInClassifier } from "../../providers/classification/built-in.ts";
import { searchOn } from "../../threads/search-on.ts";
import type { Threads } from "../../threads/threads.ts";
import { ClassifierError } from "../../providers/classification/classifier.ts";
import { importProducts, type ImportError } from "./import-file.ts";
import { aShop, importApi, shopify } from "./import-world.ts";
import { runNext } from "./run-imports.ts";

let api: TestApi;
beforeAll(async () => {
  api = await importApi();
});
afterAll(() => api.close());

// Outside the transaction of a test, as another process is.
const outside = AsyncLocalStorage.snapshot();

async function holderOf(id: string): Promise<string | null> {
  const row = await api.db
    .selectFrom("imports")
    .select("holder_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.holder_id;
}

const noTable = { version: async () => 0, entries: async () => [] };

describe("the classification of rows without a code", () => {
  const mug = { sku: "a", title: "Stoneware mug", manufacturer: "Clay", country_of_origin: "CN" };

  test("is asked for once, until the store describes the product anew, and never against a given code", async () => {
    const shop = await aShop(api);
    await shop.imported("json", [mug, { ...mug, sku: "b", hs_code: "960800" }]);
    const first = await shop.product("a");
    expect(first).toMatchObject({
      hs_code: expect.stringMatching(/^69/) as unknown,
      hs_code_source: "classified",
      status: "Manufacturer Verified",
    });
    expect(await shop.product("b")).toMatchObject({ hs_code: "960800", classification: null });
    await shop.imported("json", [{ ...mug, value: 4 }]);
    expect((await shop.product("a"))["classification"]).toEqual(first["classification"]);
    await shop.imported("json", [{ ...mug, title: "Ballpoint pen" }]);
    expect(await shop.product("a")).toMatchObject({ hs_code: "960810" });
  });

  test("aborts a row whose texts take too long, reports it, and continues with the others", async () => {
    const shop = await aShop(api);
    const titles = ["Stoneware mug", "Endless", "Ballpoint pen"];
    // Long enough that no thread answers within the limit.
    const description = "A stoneware mug, a ballpoint pen and a cotton shirt. ".repeat(150);
    const products = titles.map((title) => ({
      ...mug,
      sku: title,
      title,
      ...(title === "Endless" ? { description } : {}),
    }));
    const { data } = await shop.send({ format: "json", products });
    const { threads } = api.platform;
    const impatient: Threads = {
      ...threads,
      run: (task, input, terms) => {
        const isEndless = (input as { title?: string }).title === "Endless";
        return threads.run(task, input, { ...terms, ...(isEndless ? { limit_ms: 0 } : {}) });
      },
    };
    const classifiers: Platform["classifiers"] = {
      forAccount: ({ account_id }) => builtInClassifier(noTable, searchOn(impatient)(account_id)),
    };
    while (await runNext({ ...api.platform, classifiers }));
    expect(await shop.finished(data.id)).toMatchObject({
      status: "completed_with_errors",
      created_count: 2,
      error_count: 1,
    });
    const [bad] = (await shop.rowsOf(data.id)).filter(({ status }) => status === "error");
    expect(bad).toMatchObject({ sku: "Endless", error: { code: "classifier_error" } });
    expect(await shop.product("Ballpoint pen")).toMatchObject({ hs_code: "960810" });
  });

  test("keeps no row from being imported when the classifier is down, and is made up for next time", async () => {
    const shop = await aShop(api);
    const products = Array.from({ length: 9 }, (_, place) => ({ ...mug, sku: `m${place}` }));
    const { data } = await shop.send({ format: "json", products });
    let asked = 0;
    const classify = () => {
      asked++;
      const failure = {
        party: "zonos",
        kind: "unreachable",
        code: "gone",
        message: "Gone.",
      } as const;
      return Promise.reject(new ClassifierError({ ...failure, is_retryable: true }));
    };
    const classifiers = { forAccount: () => ({ party: "zonos" as const, classify }) };
    await runNext({ ...api.platform, classifiers });
    expect(asked).toBeLessThan(9);
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 9 });
    expect(await shop.product("m8")).toMatchObject({ hs_code: null, classification: null });
    await shop.imported("json", products);
    expect(await shop.product("m8")).toMatchObject({ hs_code_source: "classified" });
  });
});

describe("an import in progress", () => {
  const many = Array.from({ length: 250 }, (_, place) => ({
    sku: `P${place}`,
    title: `P ${place}`,
  }));

  test("reports its progress, and proceeds in parts, with other imports between them", async () => {
    const shop = await aShop(api);
    const other = await aShop(api);
    const { data } = await shop.send({ format: "json", products: many });
    expect(data).toMatchObject({
      status: "processing",
      row_count: 250,
      processed_count: 0,
      completed_at: null,
    });
    await runNext(api.platform);
    const { data: small } = await other.send({ format: "json", products: many.slice(0, 3) });
    await runNext(api.platform);
    expect((await other.get(`/imports/${small.id}`)).data).toMatchObject({ status: "completed" });
    expect((await shop.get(`/imports/${data.id}`)).data).toMatchObject({
      status: "processing",
      processed_count: 100,
      created_count: 100,
    });
    expect(await shop.rowsOf(data.id)).toHaveLength(100);
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 250 });
    expect((await shop.rowsOf(data.id)).map(({ row }) => row)).toEqual(
      many.map((_, place) => place + 1),
    );
    const page = await call(api, { token: shop.token, path: `/imports/${data.id}/rows?page=3` });
    expect(page.json()).toMatchObject({ meta: { total: 250, from: 51 }, data: { 0: { row: 51 } } });
  });

  test("is taken over from a dead process, which writes nothing any more; no row is imported twice", async () => {
    const shop = await aShop(api);
    const { data } = await shop.send({ format: "json", products: many });
    await runNext(api.platform);
    const claim = (holder_id: string) =>
      api.db.updateTable("imports").set({ holder_id }).where("id", "=", data.id).execute();
    await claim("prc_dead");
    expect(await shop.finished(data.id)).toMatchObject({ status: "completed", created_count: 250 });
    const events = await api.db
      .selectFrom("recorded_events")
      .select("subject_id")
      .where("account_id", "=", shop.account_id)
      .where("type", "=", "product.status_changed")
      .execute();
    expect(new Set(events.map(({ subject_id }) => subject_id)).size).toBe(250);
    expect(events).toHaveLength(250);
  });

  test("skips rows that another process has taken over in the meantime", async () => {
    const shop = await aShop(api);
    const { data } = await shop.send({ format: "json", products: many.slice(0, 5) });
    // The list of denied parties is read after the import was taken, and before its rows are written.
    const running = await inTransaction(api.db, async (tx) => {
      await sql`LOCK TABLE denied_party_lists IN ACCESS EXCLUSIVE MODE`.execute(tx);
      const begun = outside(() => runNext(api.platform));
      await expect.poll(() => outside(() => holderOf(data.id))).toBe(api.platform.process_id);
      await tx
        .updateTable("imports")
        .set({ holder_id: "prc_other" })
        .where("id", "=", data.id)
        .execute();
      return { begun };
    });
    expect(await running.begun).not.toBeNull();
    expect((await shop.get(`/imports/${data.id}`)).data).toMatchObject({ processed_count: 0 });
    expect(await shop.rowsOf(data.id)).toEqual([]);
    expect(await shop.finished(data.id)).toMatchObject({ created_count: 5 });
  });

  test("runs concurrently with another of the same skus, and each product is made once", async () => {
    const shop = await aShop(api);
    const products = many.slice(0, 60);
    const started = [];
    for (const order of [products, [...products].reverse()])
      started.push((await shop.send({ format: "json", products: order })).data.id);
    const other = { ...api.platform, process_id: "prc_other" };
    await Promise.all([runNext(api.platform), runNext(other)]);
    const ended: Record<string, unknown>[] = [];
    for (const id of started) ended.push(await shop.finished(id));
    const counts = (field: string) => ended.reduce((sum, each) => sum + Number(each[field]), 0);
    expect([counts("created_count"), counts("updated_count"), counts("error_count")]).toEqual([
      60, 60, 0,
    ]);
  });
});

describe("an operator's import", () => {
  async function brought(account_id: string, text: string) {
    const progress: number[] = [];
    const errors: ImportError[] = [];
    const done = await importProducts(api.platform, {
      account_id,
      format: null,
      bytes: Readable.from([Buffer.from(text)]),
      onProgress: ({ processed_count }) => progress.push(processed_count),
      onError: (error) => errors.push(error),
    });
    return { done, progress, errors };
  }

  test("has no limit of rows, reports its progress, and names the bad ones at the end", async () => {
    const { account_id } = await aShop(api);
    const titleOf = (place: number) => (place % 10 === 0 ? "" : "Mug");
    const rows = Array.from(
      { length: 450 },
      (_, place) => `h${place},${titleOf(place)},,V,,,S${place},1,1,,`,
    );
    const { done, progress, errors } = await brought(account_id, shopify(...rows));
    expect(done).toMatchObject({ row_count: 450, created_count: 405, error_count: 45 });
    expect(progress).toEqual([0, 100, 200, 300, 400, 450]);
    expect(errors.map(({ line }) => line)).toEqual(
      Array.from({ length: 45 }, (_, place) => 2 + place * 10),
    );
  });

  test("is refused for an unknown account, and for a file that is no export", async () => {
    const { account_id } = await aShop(api);
    await expect(brought("acc_nobody", shopify("a,A,,,,S,,,,"))).rejects.toThrow("acc_nobody");
    await expect(brought(account_id, "PK\u0003\u0004")).rejects.toMatchObject({
      details: { content: [expect.stringContaining("zip") as unknown] },
    });
  });
});
