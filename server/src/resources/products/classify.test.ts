import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anAccount, aToken, testApi, type TestApi } from "../../../test/api.ts";
import { aClient, type Client } from "../../../test/client.ts";
import {
  aZonosServer,
  zonosData,
  type ZonosServer,
} from "../../providers/classification/zonos-world.ts";
import { baseOf } from "../../http/authenticate.ts";
import type { Classification } from "../../domain/products/product.ts";
import { loadHsTable } from "./load-hs-table.ts";

let zonos: ZonosServer;
let api: TestApi;
let url: string;
beforeAll(async () => {
  zonos = await aZonosServer();
  api = await testApi({
    settings: {
      WAYBILL_RATE_LIMITS: "off",
      WAYBILL_CLASSIFIER: "zonos",
      WAYBILL_ZONOS_CREDENTIAL_TOKEN: "token_1",
      WAYBILL_ZONOS_URL: zonos.url,
      WAYBILL_CLASSIFIER_TIMEOUT_SECONDS: "1",
    },
  });
  url = await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await api.close();
  await zonos.close();
});

interface Body {
  data: Classification & Record<string, unknown>;
  error: { code: string; details: Record<string, unknown> };
}

async function aShop(environment: "test" | "live" = "test") {
  const account = await anAccount(api, { environment, settings: { products_api_create: true } });
  const scopes = ["products:read", "products:write", "products:classify", "products:approve"];
  const token = await aToken(api, account, { scopes });
  const client: Client = aClient(url + baseOf[environment], token);
  return {
    ...client,
    ...account,
    classify: (body: unknown, headers = {}) =>
      client.post<Body>("/products/classify", body, headers),
    product: async (sku: string) => (await client.get<Body>(`/products/${sku}`)).body.data,
    create: async (product: object) =>
      expect((await client.post("/products", product)).status).toBe(201),
  };
}

const tee = { title: "Men's organic cotton T-shirt, short sleeves, crew neck", description: "" };

describe("goods are classified by the built-in classifier", () => {
  test("with a code, its description, the confidence, alternatives, the classifier and an id", async () => {
    const { classify } = await aShop();
    const { status, body } = await classify({ ...tee, country_of_origin: "ca" });
    expect(status).toBe(200);
    const { alternatives, ...found } = body.data;
    expect(found).toEqual({
      hs_code: "610910",
      description: expect.stringMatching(/^T-shirt/) as string,
      confidence: expect.any(Number) as number,
      provider: "built_in",
      classification_id: expect.stringMatching(/^cls_/) as string,
    });
    expect(alternatives.length).toBeGreaterThanOrEqual(3);
    expect(alternatives[0]).toEqual({
      hs_code: expect.stringMatching(/^\d{6}$/) as string,
      description: expect.any(String) as string,
      confidence: expect.any(Number) as number,
    });
  });

  test("without a code where the text does not describe goods", async () => {
    const { classify } = await aShop();
    const { status, body } = await classify({ title: "衣服" });
    expect([status, body.data.hs_code, body.data.confidence]).toEqual([200, null, 0]);
  });

  test("with a description of nearly a megabyte", async () => {
    const { classify } = await aShop();
    const { status, body } = await classify({ ...tee, description: "soft ".repeat(200_000) });
    expect([status, body.data.hs_code]).toEqual([200, "610910"]);
  });

  test("once for one Idempotency-Key: the same id again", async () => {
    const { classify } = await aShop();
    const key = { "idempotency-key": "classify-1" };
    const first = await classify(tee, key);
    const again = await classify(tee, key);
    expect(again.bytes).toEqual(first.bytes);
    expect(again.headers["idempotent-replay"]).toBe("true");
    expect((await classify({ title: "A mug" }, key)).body.error.code).toBe("idempotency_conflict");
  });
});

test("every failing field is named, and no classifier is called", async () => {
  const { classify } = await aShop("live");
  const asked = zonos.requests.length;
  const refused = await classify({
    title: " \u200b ",
    description: 7,
    sku: "x".repeat(101),
    country_of_origin: "XX",
    destination_country: "Canada",
  });
  expect([refused.status, refused.body.error.code]).toEqual([422, "validation_failed"]);
  expect(Object.keys(refused.body.error.details).sort()).toEqual([
    "country_of_origin",
    "description",
    "destination_country",
    "sku",
    "title",
  ]);
  expect(zonos.requests.length).toBe(asked);
});

test.each([
  [{}, "title"],
  [{ description: "Something" }, "title"],
  [{ title: "" }, "title"],
  [{ title: "a\u0000b" }, "title"],
  [[], "body"],
  ["text", "body"],
])("%j is refused at %j", async (body, field) => {
  const { classify } = await aShop();
  const { status, body: answer } = await classify(JSON.stringify(body));
  expect(status).toBe(422);
  expect(Object.keys(answer.error.details)).toEqual([field]);
});

describe("with a sku", () => {
  test("an imported product takes over the code and becomes Classified", async () => {
    const shop = await aShop();
    await shop.create({ sku: "TEE", title: tee.title });
    const { body } = await shop.classify({ sku: "TEE" });
    expect(body.data.hs_code).toBe("610910");
    expect(await shop.product("TEE")).toMatchObject({
      status: "Classified",
      hs_code: "610910",
      hs_code_source: "classified",
      hs_confidence: body.data.confidence,
      classification: body.data,
    });
  });

  test("the body is classified, and not the stored product", async () => {
    const shop = await aShop();
    await shop.create({ sku: "MUG", title: "Something" });
    await shop.classify({ sku: "MUG", title: "Stoneware coffee mug" });
    expect(await shop.product("MUG")).toMatchObject({ title: "Something", hs_code: "691200" });
  });

  test("a code that a person gave stays", async () => {
    const shop = await aShop();
    await shop.create({ sku: "TEE", title: tee.title, hs_code: "6109.90" });
    await shop.classify({ sku: "TEE" });
    expect(await shop.product("TEE")).toMatchObject({
      hs_code: "610990",
      hs_code_source: "manual",
    });
  });

  test("a product without any description stays Imported, without a code", async () => {
    const shop = await aShop();
    await shop.create({ sku: "X", title: "衣服" });
    expect((await shop.classify({ sku: "X" })).status).toBe(200);
    expect(await shop.product("X")).toMatchObject({ status: "Imported", hs_code: null });
  });

  test("an unknown one is 404, another account's the same, and no classifier is called", async () => {
    const [shop, other] = [await aShop("live"), await aShop("live")];
    await other.create({ sku: "THEIRS", title: tee.title });
    const asked = zonos.requests.length;
    const [unknown, theirs] = [
      await shop.classify({ sku: "NONE", ...tee }),
      await shop.classify({ sku: "THEIRS", ...tee }),
    ];
    expect([unknown.status, theirs.status]).toEqual([404, 404]);
    expect(theirs.bytes).toEqual(unknown.bytes);
    expect(zonos.requests.length).toBe(asked);
  });
});

describe("with a third party configured", () => {
  beforeEach(() => zonos.answerWith(zonosData({ code: "6109.10.00.12", description: null })));

  test("production calls it, the sandbox never", async () => {
    const [live, sandbox] = [await aShop("live"), await aShop("test")];
    const asked = zonos.requests.length;
    expect((await sandbox.classify(tee)).body.data.provider).toBe("built_in");
    expect(zonos.requests.length).toBe(asked);
    const { body } = await live.classify({ ...tee, destination_country: "us" });
    expect(body.data).toMatchObject({ provider: "zonos", hs_code: "6109100012" });
    expect(zonos.requests.at(-1)!.body.variables.inputs[0]).toMatchObject({
      configuration: { shipToCountries: ["US"] },
    });
  });

  test("it is called once for one Idempotency-Key", async () => {
    const { classify } = await aShop("live");
    const asked = zonos.requests.length;
    const answers = [];
    for (let time = 0; time < 3; time++)
      answers.push((await classify(tee, { "idempotency-key": "once" })).bytes.toString());
    expect(new Set(answers).size).toBe(1);
    expect(zonos.requests.length).toBe(asked + 1);
  });

  test.each([
    ["down", { status: 503, text: "" } as const, "status_503", true],
    ["silent", "silence" as const, "timeout", true],
    ["talking nonsense", { status: 200, text: "{}" } as const, "bad_answer", true],
    ["refusing", { errors: [{ message: "No such country" }] }, "refused", false],
  ])(
    "502 when it is %s; the product stays, and the key is free",
    async (_, fault, code, retryable) => {
      const shop = await aShop("live");
      await shop.create({ sku: "TEE", title: tee.title });
      zonos.answerWith(fault);
      const key = { "idempotency-key": "again" };
      const failed = await shop.classify({ sku: "TEE" }, key);
      expect([failed.status, failed.body.error.code]).toEqual([502, "classifier_error"]);
      expect(failed.body.error.details).toEqual({
        carrier: "zonos",
        carrier_code: code,
        carrier_message: expect.any(String) as string,
        retryable,
      });
      expect(await shop.product("TEE")).toMatchObject({ status: "Imported", classification: null });
      zonos.answerWith(zonosData({ code: "6109.10", description: null }));
      expect((await shop.classify({ sku: "TEE" }, key)).status).toBe(200);
    },
  );
});

describe("an official table", () => {
  const load = (text: string) => loadHsTable(api.db, Readable.from([text]));

  test("that cannot be read changes nothing", async () => {
    await expect(load("")).rejects.toThrow("empty");
    await expect(load("a,b\n1,2\n")).rejects.toThrow("no column for codes: hscode");
    await expect(load("hscode,b\n610910,2\n")).rejects.toThrow(
      "no column for descriptions: description",
    );
    await expect(load("hscode,description\n61,Knitted\n6109101200,T\n")).rejects.toThrow(
      "six digits",
    );
    const { classify } = await aShop();
    expect((await classify(tee)).body.data.alternatives.length).toBeGreaterThan(2);
  });

  test("is in force with the next request, with its own descriptions", async () => {
    const text =
      '\uFEFFHS Code,Description\n61,"Apparel"\n6109,T-shirts\n6109.10,"Of cotton, officially"\n6109.90,Of other materials\n6109.10.00.12,National\n6109.10,Twice\n';
    expect(await load(text)).toEqual({ subheadings: 2, groups: 2, left_out: 2 });
    const { classify } = await aShop();
    const { body } = await classify(tee);
    expect(body.data).toMatchObject({ hs_code: "610910", description: "Of cotton, officially" });
    expect(body.data.alternatives.map(({ hs_code }) => hs_code)).toEqual(["610990"]);
  });
});
