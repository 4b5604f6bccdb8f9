import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { combineLabels } from "../../src/documents/combine-labels.ts";
import { openThreads, TaskAborted, type Threads } from "../../src/threads/threads.ts";
import { canScan, scanImage, scanPages } from "../acceptance/scan.ts";
import { outcomeOf, type DataOf, type Purchase } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { untilReady } from "../labels.ts";
import { connectTo } from "../real-connections.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { aShipment, aSteeredShipment, halifax } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** Labels as PNG at carriers that have PDF and ZPL only: Waybill draws the picture of their PDF. */

const scannable = await canScan();
const services = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.express",
} as const;
const each = Object.entries(services);

/** While false, a thread gives up every picture. */
let isDrawing = true;
let world: World;
beforeAll(async () => {
  const own = openThreads();
  const threads: Threads = {
    run: (task, input, options) =>
      task === "label_picture" && !isDrawing
        ? Promise.reject(new TaskAborted("too_long"))
        : own.run(task, input, options),
    close: () => own.close(),
  };
  world = await aPlatform({}, { threads });
  for (const carrier of ["canada_post", "purolator"] as const) await connectTo(world, carrier);
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const aPng = (account: TestAccount, id: string, service: string) =>
  account.bought(id, { service, label_format: "png" });

async function fileOf({ label_url }: Pick<Purchase, "label_url">): Promise<Buffer> {
  const file = await fetch(label_url!);
  expect(file.headers.get("content-type")).toBe("image/png");
  return Buffer.from(await file.arrayBuffer());
}

describe.each(each)("%s", (carrier, service) => {
  test("is listed with PNG among its formats", async () => {
    const account = await anAccount(world);
    const { data } = must(
      await account.get<DataOf<{ code: string; label_formats: string[] }[]>>("/carriers"),
      200,
    );
    const { label_formats } = data.find(({ code }) => code === carrier)!;
    expect(label_formats).toEqual(expect.arrayContaining(["pdf", "zpl", "png"]));
  });

  test.skipIf(!scannable)(
    "sells a PNG at once, whose bar code is the tracking code (needs zbarimg)",
    async () => {
      const account = await anAccount(world);
      const { id } = await account.create(aShipment());
      const bought = await aPng(account, id, service);
      expect(bought).toMatchObject({ label_status: "ready", label_format: "png" });
      const png = await fileOf(bought);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([812, 1218]);
      expect(await scanImage(png)).toEqual([bought.tracking_code]);
    },
  );

  test("a PNG of a label whose answer was lost is drawn when the label is found", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
    const lost = await account.buy(id, { service, label_format: "png" });
    expect(outcomeOf(lost)).toBe("409 purchase_pending");
    const ready = await untilReady(account, id);
    expect(await account.show(id)).toMatchObject({ status: "purchased", label_status: "ready" });
    expect((await fileOf(ready)).subarray(1, 4).toString()).toBe("PNG");
  });

  test("a PNG that was lost here is drawn again", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const before = await fileOf(await aPng(account, id, service));
    await rm(join(world.data_dir, "files", account.account_id, "labels"), { recursive: true });
    expect(await fileOf(await untilReady(account, id))).toEqual(before);
  });

  test("a PNG that cannot be drawn leaves the label sold and paid, and comes once it can be", async () => {
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    isDrawing = false;
    try {
      const bought = await aPng(account, id, service);
      expect(bought).toMatchObject({
        label_status: "pending",
        label_format: "png",
        label_url: null,
      });
      expect(await account.show(id)).toMatchObject({ status: "purchased" });
      const { held, balance } = await account.balance();
      expect({ held, balance }).toEqual({ held: 0, balance: 1000 - bought.cost!.total });
    } finally {
      isDrawing = true;
    }
    expect((await fileOf(await untilReady(account, id))).subarray(1, 4).toString()).toBe("PNG");
  });
});

test.skipIf(!scannable)(
  "the labels of three packages are one picture, a page each when they are joined (needs pdftoppm and zbarimg)",
  async () => {
    const account = await anAccount(world);
    const entry = aShipment();
    const packages = [1, 2, 3].map(() => entry.packages[0]!);
    const { id } = await account.create({ ...entry, packages });
    const png = await fileOf(await aPng(account, id, services.purolator));
    const shown = await account.show(id);
    const { bytes } = await combineLabels([{ name: id, format: "png", bytes: png }]);
    expect(await scanPages(bytes)).toEqual(
      shown.packages.map(({ tracking_code }) => [tracking_code]),
    );
  },
);

test("an operator's PDF of a label whose picture never came becomes its PNG, and what is no label is refused", async () => {
  const account = await anAccount(world);
  const late = { ...halifax, address2: "sim:late_file=*:3600" };
  const { id } = await account.create(aShipment({ to_address: late }));
  await aPng(account, id, services.canada_post);
  await sql`UPDATE pending_files SET since = now() - interval '25 hours', check_at = now()
    WHERE shipment_id = ${id}`.execute(world.db);
  const review = await untilUnderReview(world, id);
  const other = await account.create(aShipment());
  const pdf = await account.bought(other.id, { service: services.canada_post });
  const bytes = Buffer.from(await (await fetch(pdf.label_url!)).arrayBuffer());
  for (const file of [Buffer.from("%PDF-1.7 of nothing %%EOF"), Buffer.from("^XA^XZ")]) {
    const given = { decision: "stands", label_base64: file.toString("base64") } as const;
    expect(outcomeOf(await decide(world, review, given))).toBe("422 validation_failed");
  }
  const given = { decision: "stands", label_base64: bytes.toString("base64") } as const;
  must(await decide(world, review, given), 200);
  expect((await fileOf(await untilReady(account, id))).subarray(1, 4).toString()).toBe("PNG");
});
