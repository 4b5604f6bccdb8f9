import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOf } from "./multipart.ts";

const lines = [
  "--b-1",
  "Content-Type: application/json",
  'Content-Disposition: form-data; name="labelMetadata"',
  "",
  '{"trackingNumber": "9400"}',
  "--b-1",
  "Content-Type: application/pdf",
  'Content-Disposition: form-data; filename="labelImage.pdf"; name="labelImage"',
  "",
  "JVBERg==",
  "--b-1--",
  "",
];

test.each([
  ["CRLF", "\r\n", 'multipart/form-data; boundary="b-1"'],
  ["LF alone", "\n", "multipart/form-data;boundary=b-1"],
  ["a boundary that no header names", "\r\n", undefined],
  ["a wrong boundary in the header", "\r\n", "multipart/form-data; boundary=other"],
])("parts are read with %s", (_name, end, type) => {
  const parts = partsOf({ headers: { "content-type": type }, bytes: Buffer.from(lines.join(end)) });
  expect(
    parts?.map(({ name, content_type, bytes }) => [name, content_type, bytes.toString()]),
  ).toEqual([
    ["labelMetadata", "application/json", '{"trackingNumber": "9400"}'],
    ["labelImage", "application/pdf", "JVBERg=="],
  ]);
});

test("any bytes are parts or none", () => {
  const whole = lines.join("\r\n");
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.nat(20),
      fc.uint8Array({ maxLength: 30 }),
      (at, cut, put) => {
        const bytes = Buffer.concat([
          Buffer.from(whole.slice(0, at)),
          put,
          Buffer.from(whole.slice(at + cut)),
        ]);
        const parts = partsOf({ headers: {}, bytes });
        expect(parts === null || Array.isArray(parts)).toBe(true);
      },
    ),
  );
});
