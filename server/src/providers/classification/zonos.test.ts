import { afterAll, beforeAll, expect, test } from "vitest";
import type { Classifier } from "./classifier.ts";
import { ClassifierError } from "./classifier.ts";
import { zonosClassifier } from "./zonos.ts";
import { aZonosServer, zonosData, type ZonosResponse, type ZonosServer } from "./zonos-world.ts";

let zonos: ZonosServer;
let classifier: Classifier;
beforeAll(async () => {
  zonos = await aZonosServer();
  classifier = zonosClassifier({ credential_token: "token_1", url: zonos.url, timeout_ms: 300 });
});
afterAll(() => zonos.close());

const goods = {
  title: "Knitted gloves",
  description: "For winter",
  sku: "G-1",
  country_of_origin: "CA",
  destination_country: "US",
};
const gloves = { code: "6116.10", description: { friendly: "Gloves, knitted" } };

test("a question carries the credential and all that is known of the goods", async () => {
  zonos.answerWith(zonosData(gloves));
  await classifier.classify(goods);
  const { headers, body } = zonos.requests.at(-1)!;
  expect(headers["credentialtoken"]).toBe("token_1");
  expect(body.query).toContain("classificationsCalculate");
  expect(body.variables.inputs).toEqual([
    {
      name: "Knitted gloves",
      description: "For winter",
      countryOfOrigin: "CA",
      configuration: { sku: "G-1", shipToCountries: ["US"] },
    },
  ]);
});

test("a description of a megabyte is truncated, and never through the middle of a character", async () => {
  zonos.answerWith(zonosData(gloves));
  await classifier.classify({ ...goods, description: `x${"😀".repeat(300_000)}` });
  const sent = zonos.requests.at(-1)!.body.variables.inputs[0]!["description"] as string;
  expect(sent).toHaveLength(5_000);
  expect(sent.isWellFormed()).toBe(true);
});

test("a result is a code without dots, its confidence and its alternatives", async () => {
  const alternates = [
    { probabilityMass: "0.25", subheadingAlternate: { code: "6116.93", description: null } },
  ];
  zonos.answerWith(zonosData(gloves, { alternates }));
  expect(await classifier.classify(goods)).toEqual({
    hs_code: "611610",
    description: "Gloves, knitted",
    confidence: 0.62,
    alternatives: [{ hs_code: "611693", description: "", confidence: 0.25 }],
    provider: "zonos",
    classification_id: "classification_1",
  });
});

test("of a country's own digits at most ten are kept", async () => {
  zonos.answerWith(zonosData({ code: "6116.10.13.00.1234", description: null }));
  expect((await classifier.classify(goods)).hs_code).toBe("6116101300");
});

test.each<[string, ZonosResponse]>([
  ["its own words for it", { errors: [{ message: "No adequate response" }] }],
  ["no code", zonosData(null)],
])("goods of which it knows too little (%s) get no code and no confidence", async (_, answer) => {
  zonos.answerWith(answer);
  const found = await classifier.classify(goods);
  expect(found).toMatchObject({ hs_code: null, description: null, confidence: 0 });
  expect(found.classification_id).not.toBe("");
});

const badResponse = { code: "bad_answer", is_retryable: true };
test.each<[string, ZonosResponse, { code: string; is_retryable: boolean }]>([
  [
    "a wrong credential",
    { errors: [{ message: "Full authentication is required" }] },
    { code: "unauthorized", is_retryable: false },
  ],
  ["a plain 401", { status: 401, text: "no" }, { code: "unauthorized", is_retryable: false }],
  [
    "a refusal",
    { errors: [{ message: "name must not be blank" }] },
    { code: "refused", is_retryable: false },
  ],
  ["too many questions", { status: 429, text: "" }, { code: "rate_limited", is_retryable: true }],
  ["a 500", { status: 500, text: "<html>" }, { code: "status_500", is_retryable: true }],
  [
    "a 503 that is GraphQL",
    { errors: [{ message: "down" }], status: 503 },
    { code: "status_503", is_retryable: true },
  ],
  ["a web page", { status: 200, text: "<html>" }, badResponse],
  ["an empty response", { status: 200, text: "" }, badResponse],
  ["no result", { data: { classificationsCalculate: [] } }, badResponse],
  ["null", { data: null }, badResponse],
  ["a code that is a word", zonosData({ code: "gloves", description: null }), badResponse],
  ["a code of four digits", zonosData({ code: "6116", description: null }), badResponse],
  ["a confidence that is a word", zonosData(gloves, { confidenceScore: "high" }), badResponse],
  ["silence", "silence", { code: "timeout", is_retryable: true }],
  ["an endless response", "drip", { code: "timeout", is_retryable: true }],
  ["a connection that ends", "reset", { code: "connection", is_retryable: true }],
])("%s is a failure of the classifier", async (_, answer, { code, is_retryable }) => {
  zonos.answerWith(answer);
  const error = await classifier.classify(goods).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ClassifierError);
  expect(error).toMatchObject({ party: "zonos", party_code: code, is_retryable });
});

test("an unreachable classifier is reported as a question that never arrived", async () => {
  const gone = await aZonosServer();
  await gone.close();
  const lost = zonosClassifier({ credential_token: "t", url: gone.url, timeout_ms: 300 });
  const error = await lost.classify(goods).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: "unreachable", party_code: "connection" });
});
