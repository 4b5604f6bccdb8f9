import { expect, test } from "vitest";
import { outcomeOf } from "../corpus/corpus-world.ts";
import { fromLabelResponse, fromReprint } from "./labels.ts";

/** Answers with files, in the forms that they may come in. */

const metadata = { trackingNumber: "9205590164917312345671", postage: 9.5 };
const image = "JVBERi0xLjQKJSVFT0YK";
const sold = {
  tracking_code: "9205590164917312345671",
  cost: { amount_cents: 950, currency: "USD" },
  image: Buffer.from(image, "base64"),
};

const json = JSON.stringify(metadata);
const info = JSON.stringify({ reprintNumber: 1, reprintLimit: 3 });

function inParts(...parts: [disposition: string, type: string | null, body: string][]) {
  const pieces = parts.map(([disposition, type, body]) => {
    const head = [
      `Content-Disposition: ${disposition}`,
      ...(type ? [`Content-Type: ${type}`] : []),
    ];
    return `--b\r\n${head.join("\r\n")}\r\n\r\n${body}\r\n`;
  });
  return answerOf(`${pieces.join("")}--b--\r\n`, "multipart/form-data; boundary=b");
}

function answerOf(text: string, type = "application/json") {
  const headers = { "content-type": type };
  return { status: 200, headers, bytes: Buffer.from(text), retry_after_seconds: null };
}

const named = (name: string) => `form-data; name="${name}"`;
const attached = (file: string) => `attachment; filename="${file}"`;

test("a reprint of a return is found by the metadata of its own name", () => {
  const reprintInfo = { reprintNumber: 1, reprintLimit: 3 };
  const body = { returnLabelMetadata: metadata, returnLabelImage: image, reprintInfo };
  expect(fromReprint(answerOf(JSON.stringify(body)))).toEqual(sold);
  const parts = inParts(
    [named("reprintInfo"), "application/json", info],
    [named("returnLabelMetadata"), "application/json", json],
    [named("returnLabelImage"), "application/pdf", image],
  );
  expect(fromReprint(parts)).toEqual(sold);
});

test("a purchase with its return beside it is the purchase, in parts and in one object", () => {
  const returned = { trackingNumber: "9202090164917312345679", postage: 7 };
  const parts = inParts(
    [named("returnLabelMetadata"), "application/json", JSON.stringify(returned)],
    [named("returnLabelImage"), "application/pdf", "UkVUVVJO"],
    [named("labelMetadata"), "application/json", json],
    [named("labelImage"), "application/pdf", image],
  );
  expect(fromLabelResponse(parts)).toEqual(sold);
  const body = { ...metadata, labelImage: image, returnLabelMetadata: returned };
  expect(fromLabelResponse(answerOf(JSON.stringify(body)))).toEqual(sold);
});

test.each([
  ["without a content type", null],
  ["with the vendor's content type", "application/vnd.usps.labels+json"],
  ["with a charset", "application/json; charset=UTF-8"],
])("metadata %s are read", (_name, type) => {
  const answer = inParts(
    [named("labelMetadata"), type, json],
    [named("labelImage"), "application/pdf", image],
  );
  expect(fromLabelResponse(answer)).toEqual(sold);
});

test("the metadata are found by their name, whatever comes before them", () => {
  const answer = inParts(
    [named("reprintInfo"), "application/json", info],
    [named("labelMetadata"), "application/json", json],
    [named("labelImage"), "application/pdf", image],
  );
  expect(fromReprint(answer)).toEqual(sold);
});

test.each([
  ["its file name", attached("label-image.pdf"), "application/octet-stream"],
  ["its type", attached("9205590164917312345671.pdf"), "application/pdf"],
])("a label whose part has no name is known by %s, and a receipt is none", (_name, own, type) => {
  const answer = inParts(
    [attached("receipt-image.pdf"), "application/pdf", "UkVDRUlQVA=="],
    [named("labelMetadata"), "application/json", json],
    [own, type, image],
  );
  expect(fromLabelResponse(answer)).toEqual(sold);
});

test("a receipt alone is no label", () => {
  const answer = inParts(
    [named("labelMetadata"), "application/json", json],
    [attached("receipt-image.pdf"), "application/pdf", "UkVDRUlQVA=="],
  );
  expect(fromLabelResponse(answer)).toEqual({ ...sold, image: null });
});

test("parts without metadata prove nothing", () => {
  const answer = inParts([named("labelImage"), "application/pdf", image]);
  expect(outcomeOf(fromLabelResponse, answer)).toMatchObject({ failure: { kind: "unknown" } });
});
