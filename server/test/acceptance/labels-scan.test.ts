import { afterAll, beforeAll, expect, test } from "vitest";
import { assertInvariants } from "../invariants.ts";
import { aPlatform, anAccount, type TestAccount, type World } from "../world.ts";
import { fortyShipments } from "./forty-shipments.ts";
import { canScan, scanImage, scanPages } from "./scan.ts";

/** Issue 2: create → rates → cheapest label, and the label's barcode scans as the API's tracking code. */

const scannable = await canScan();

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world, { balance_cents: 5_000_000 });
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

test.skipIf(!scannable).each(fortyShipments)(
  "%s: every page of the cheapest label scans as its package's tracking code (needs pdftoppm and zbarimg)",
  async (_name, entry) => {
    const { id } = await account.create(entry);
    const { data: rates } = await account.rates(id);
    expect(rates.length).toBeGreaterThan(0);
    const { label_url, tracking_code, cost } = await account.bought(id, { rate_id: rates[0]!.id });
    expect(cost!.total).toBe(rates[0]!.total);

    const { packages } = await account.show(id);
    const codes = packages.map((each) => each.tracking_code!);
    expect(codes[0]).toBe(tracking_code);
    expect(new Set(codes).size).toBe(entry.packages.length);
    const pdf = Buffer.from(await (await fetch(label_url!)).arrayBuffer());
    expect(await scanPages(pdf)).toEqual(codes.map((code) => [code]));
  },
);

test.skipIf(!scannable)(
  "a label as PNG, and one on a letter page, scan too (needs pdftoppm and zbarimg)",
  async () => {
    const [, entry] = fortyShipments[0]!;
    const bought = async (body: object) => {
      const { id } = await account.create(entry);
      const purchase = await account.bought(id, { service: "cheapest", ...body });
      const file = Buffer.from(await (await fetch(purchase.label_url!)).arrayBuffer());
      return { file, tracking_code: purchase.tracking_code };
    };
    const png = await bought({ label_format: "png" });
    expect(await scanImage(png.file)).toEqual([png.tracking_code]);
    const letter = await bought({ label_size: "letter" });
    expect(await scanPages(letter.file)).toEqual([[letter.tracking_code]]);
  },
);

test("the forty shipments are forty, and go both ways over the border", () => {
  const lanes = fortyShipments.map(
    ([, { from_address, to_address }]) =>
      `${from_address!.country_code}-${to_address.country_code}`,
  );
  expect(lanes).toHaveLength(40);
  expect(new Set(lanes)).toEqual(new Set(["CA-CA", "US-US", "CA-US", "US-CA"]));
});
