import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { canScan, printed } from "../../../../test/acceptance/scan.ts";
import type { Mark } from "../../../drawing/marks.ts";
import { courierOf } from "../carriers/carriers.ts";
import { carriers, codesOf, contentOf } from "./label-world.ts";
import { layOut } from "./layout.ts";
import { renderLabel } from "./render-label.ts";
import { writePng } from "./write-png.ts";

/** The two-dimensional codes, read back by ZXing, which shares no code with what drew them. */

type SymbolMark = Extract<Mark, { mark: "symbol" }>;

// The margin around a symbol that its reader requires.
const quiet = 3;

beforeAll(async () => {
  const { resolve } = createRequire(import.meta.url);
  const wasm = readFileSync(resolve("zxing-wasm/reader/zxing_reader.wasm"));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

async function read(picture: Buffer): Promise<string[]> {
  return (await readBarcodes(new Uint8Array(picture))).map(({ text }) => text);
}

function isSymbol(mark: Mark): mark is SymbolMark {
  return mark.mark === "symbol";
}

/** A symbol with its margin. */
function placeOf({ x, y, width, height }: SymbolMark) {
  return {
    x: x - quiet,
    y: y - quiet,
    width: width + 2 * quiet,
    height: height + 2 * quiet,
  };
}

test.skipIf(!(await canScan())).each(carriers)(
  "the two-dimensional code of %s is read on each page of the PDF, as it is printed (pdftoppm)",
  async (carrier) => {
    const content = contentOf(carrier, 2);
    const symbols = content.packages.map((_, index) => layOut(content, index).find(isSymbol)!);
    const pages = await printed(
      await renderLabel(content, { format: "pdf", size: "4x6" }),
      placeOf(symbols[0]!),
    );
    expect(await Promise.all(pages.map(read))).toEqual(symbols.map(({ text }) => [text]));
    for (const [index, code] of codesOf(content).entries())
      expect(symbols[index]!.text).toContain(code);
  },
);

describe.each(["ups", "fedex", "usps"])("the two-dimensional code of %s", (carrier) => {
  const { symbol } = courierOf(carrier).label;

  test(`${symbol.kind} is read in a PNG, whatever text a label may have in it`, async () => {
    const paper = { width: symbol.width + 2 * quiet, height: symbol.height + 2 * quiet };
    // Longer than any that is printed: a code, a postal code, a country, a service and a day.
    const words = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const mark: SymbolMark = { mark: "symbol", ...symbol, x: quiet, y: quiet, text };
        expect(await read(writePng([{ paper, marks: [mark] }]))).toEqual([text]);
      }),
      { numRuns: 25 },
    );
  });
});
