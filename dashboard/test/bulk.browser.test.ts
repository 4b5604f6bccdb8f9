import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBatch } from "../../server/test/batches.ts";
import { halifax } from "../../server/test/shipments.ts";
import { must } from "../../server/test/world.ts";
import { violations } from "./axe.ts";
import { bar, families, press } from "./families.ts";
import { at, hasChromium, startScreens, type Screens } from "./world.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  let screens: Screens;
  beforeAll(async () => {
    screens = await startScreens();
  });
  afterAll(() => screens.close());
  const { family, choose } = families(() => screens);

  test("the labels of several chosen shipments are printed as one file, a page each", async () => {
    for (const id of await family("Printer", 3)) await screens.account.bought(id);
    const page = await choose("Printer", 3);
    const files: { url: string }[] = [];
    page.on("response", async (response) => {
      if (!response.url().endsWith("/documents/combine")) return;
      files.push(((await response.json()) as { data: { url: string } }).data);
    });
    await press(page, "Print");
    await page.getByText("3 shipments in one file").waitFor();
    await expect.poll(() => page.evaluate("window.printed")).toMatch(/^\/files\/.*\.pdf$/);
    await expect.poll(() => files).toHaveLength(1);
    const pdf = Buffer.from(await (await fetch(files[0]!.url)).arrayBuffer());
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).toHaveLength(3);
    await page.context().close();
  });

  test("a label that is void by then is named with its reason, and the others are printed", async () => {
    const ids = await family("Stale", 2);
    for (const id of ids) await screens.account.bought(id);
    const page = await choose("Stale", 2);
    must(await screens.account.post(`/shipments/${ids[0]}/void`), 200);
    await press(page, "Print");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The file lacks the labels of 1 shipment").waitFor();
    await dialog.getByText("It has no label now.").waitFor();
    expect(await dialog.getByRole("link").allInnerTexts()).toEqual(["Stale 0"]);
    await expect.poll(() => page.evaluate("window.printed")).toBeTruthy();
    await page.context().close();
  });

  test("more labels than one file holds are offered as several files, which are saved for a thermal printer", async () => {
    const [label] = await family("Thermal", 1);
    await screens.account.bought(label!, { service: "cheapest", label_format: "zpl" });
    await family("Pile", 551);
    const page = await choose("Pile", 50);
    const parts: number[] = [];
    // So many labels take a minute to buy: what is read beyond the page says that it has one.
    await page.route(/shipments\?.*fields=id(,|%2C)/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object[] };
      const data = body.data.map((row) => ({ ...row, label_status: "ready" }));
      await route.fulfill({ response, json: { ...body, data } });
    });
    await page.route("**/documents/combine", async (route) => {
      const body = route.request().postDataJSON() as { shipment_ids: string[] };
      parts.push(body.shipment_ids.length);
      const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
      const postData = { shipment_ids: [label] };
      await route.fulfill({ response: await route.fetch({ headers, postData }) });
    });
    const files: Promise<string>[] = [];
    page.on("download", (download) => files.push(download.path()));
    await press(page, "Choose all 551 that match");
    await bar(page, 551).waitFor();
    await press(page, "Print");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("One file holds 500 labels at most").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "1 to 500" }).click();
    await page.getByText("500 shipments in one file").waitFor();
    await dialog.getByRole("button", { name: "501 to 501" }).click();
    await page.getByText("1 shipment in one file").waitFor();
    expect(parts).toEqual([500, 1]);
    await expect.poll(() => files).toHaveLength(2);
    for (const file of files) expect(await readFile(await file, "utf8")).toContain("^XA");
    await page.context().close();
  });

  test("all that match are tagged, also those that were never loaded", async () => {
    await family("Many", 120);
    const page = await choose("Many", 50);
    await press(page, "Choose all 120 that match");
    await bar(page, 120).waitFor();
    await page.getByText("50 shipments so far").waitFor();
    await press(page, "Add tags");
    await page.getByRole("textbox", { name: "Tags" }).fill("spring, large");
    await page.getByRole("dialog").getByRole("button", { name: "Add tags" }).click();
    await page.getByText("120 shipments tagged.").waitFor();
    const { body } = await screens.account.get<{ meta: { total: number } }>(
      "/shipments?tag=spring&page=1",
    );
    expect(body.meta.total).toBe(120);
    await page.context().close();
  });

  test("a tag that a shipment cannot take is refused with its reason, and can be tried again", async () => {
    const full = Array.from({ length: 50 }, (_, index) => `tag ${index}`);
    const [id] = await family("Full", 1, { tags: full });
    await family("Full", 1, { reference: "Empty" });
    const page = await choose("Full", 2, { expected: /422/ });
    await press(page, "Add tags");
    await page.getByRole("textbox", { name: "Tags" }).fill("one more");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Add tags" }).click();
    await dialog.getByText("1 of 2 done").waitFor();
    await dialog.getByText("tags must have at most 50 entries.").waitFor();
    const rest = { tags: full.slice(1) };
    must(await screens.account.put(`/shipments/${id}`, rest), 200);
    await dialog.getByRole("button", { name: "Try the other 1 again" }).click();
    await page.getByText("2 shipments tagged.").waitFor();
    const { body } = await screens.account.get<{ data: { tags: string[] } }>(`/shipments/${id}`);
    expect(body.data.tags).toEqual([...rest.tags, "one more"]);
    await page.context().close();
  });

  test("drafts are added to an open batch, and one of another batch is named and left there", async () => {
    const [used, ...free] = await family("Batched", 3);
    const [first] = await family("First", 1);
    await createBatch(screens.account, [used!], "Taken");
    const open = await createBatch(screens.account, [first!], "Saturday");
    const page = await choose("Batched", 3, { expected: /409/ });
    await press(page, "Add to a batch");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /A new batch/ }).click();
    await page.getByRole("option", { name: /Saturday/ }).click();
    await dialog.getByRole("button", { name: "Add to a batch" }).click();
    await dialog.getByText("2 shipments in the batch.").waitFor();
    expect(await dialog.getByRole("link").allInnerTexts()).toEqual(["Batched 0"]);
    const { body } = await screens.account.get<{ data: { shipment_ids: string[] } }>(
      `/batches/${open.id}`,
    );
    expect(body.data.shipment_ids.toSorted()).toEqual([first, ...free].toSorted());
    await page.context().close();
  });

  test("drafts that name no service are bought with the cheapest, and nothing is chosen any more", async () => {
    const ids = await family("Bought", 2);
    const page = await choose("Bought", 2);
    await press(page, "Buy");
    await page.getByRole("dialog").getByRole("button", { name: "Buy all" }).click();
    await page.getByText("The batch is being bought.").waitFor();
    await bar(page, 2).waitFor({ state: "detached" });
    const statusOf = async (id: string) =>
      (await screens.account.get<{ data: { status: string } }>(`/shipments/${id}`)).body.data
        .status;
    for (const id of ids) await expect.poll(() => statusOf(id)).toBe("purchased");
    await page.context().close();
  });

  test("what cannot be bought of the chosen ones is left out, and named with its state", async () => {
    const [labelled] = await family("Part", 3);
    await screens.account.bought(labelled!);
    const page = await choose("Part", 3);
    await press(page, "Buy");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A batch of 2 shipments").waitFor();
    await dialog.getByText("1 shipment of the chosen ones left out").waitFor();
    expect(await dialog.getByRole("link").allInnerTexts()).toEqual(["Part 0"]);
    await dialog.getByRole("listitem").getByText("Labelled").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test("amounts from a thousand dollars are whole in the list", async () => {
    const [id] = await family("Dear", 1);
    await screens.account.bought(id!);
    for (const locale of ["en", "fr"] as const) {
      const page = await screens.page({ role: "shipper", locale });
      await page.route(/api\/v5\/shipments\?/, async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { cost: object }[] };
        const data = body.data.map((row) => ({ ...row, cost: { ...row.cost, total: 21446.72 } }));
        await route.fulfill({ response, json: { ...body, data } });
      });
      await page.goto(at(screens, "/shipments?q=Dear"));
      const cell = page.locator("td", { hasText: /446[.,]72/ });
      await cell.waitFor();
      const cut = await page.evaluate<number>(
        "[...document.querySelectorAll('td')].filter((td) => td.innerText.includes('446') && td.scrollWidth > td.clientWidth).length",
      );
      expect(cut).toBe(0);
      await page.context().close();
    }
  });

  test("the way back from the list after a draft was deleted leads past it", async () => {
    await family("Gone", 1);
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, "/shipments?q=Gone"));
    await page.getByText("Gone 0").click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/shipments$/);
    await page.goBack();
    await page.waitForURL(/\/shipments\?q=Gone/);
    await page.getByText("No shipment fits").waitFor();
    await page.context().close();
  });

  test("a parcel's weight has the language's decimal sign", async () => {
    const [id] = await family("Light", 1, {
      packages: [
        { weight: 1.5, weight_unit: "kg", length: 10.5, width: 10, height: 4, size_unit: "cm" },
      ],
    });
    const page = await screens.page({ role: "shipper", locale: "fr" });
    await page.goto(at(screens, `/shipments/${id}`));
    await page.getByRole("cell", { name: "1,5 kg" }).waitFor();
    await page.getByRole("cell", { name: "10,5 × 10 × 4 cm" }).waitFor();
    await page.context().close();
  });

  test("a batch that ended says of each shipment what became of it, and offers to mend what failed", async () => {
    const to_address = { ...halifax, name: "Refused", address2: "sim:refuse" };
    // The count of the menu is seen while it is being bought.
    const slow = { ...halifax, name: "Ended", address2: "sim:slow=*:1500" };
    const service = "cheapest";
    const ids = [
      ...(await family("Refused", 2, { to_address, service })),
      // Those that name no service are bought with the cheapest.
      ...(await family("Ended", 10, { to_address: slow })),
    ];
    const { id } = await createBatch(screens.account, ids, "Twelve");
    const page = await screens.page({ role: "shipper" });
    await page.goto(at(screens, `/batches/${id}`));
    const count = page.getByRole("navigation").getByRole("link", { name: /^Batches/ });
    await page.getByRole("button", { name: "Buy all labels" }).click();
    await expect.poll(() => count.innerText()).toMatch(/1$/);
    const stateOf = (state: string) => page.getByRole("cell", { name: state, exact: true }).count();
    await page.getByText("Done, some failed").waitFor();
    await expect.poll(() => stateOf("Bought")).toBe(10);
    expect([await stateOf("Being bought"), await stateOf("Failed")]).toEqual([0, 2]);
    await page.getByText("sim:refuse").first().waitFor();
    expect(await page.getByRole("button", { name: "Fix and retry" }).count()).toBe(2);
    await expect.poll(() => count.innerText()).toBe("Batches");
    await page.getByRole("button", { name: "Fix and retry" }).first().click();
    await page.getByRole("dialog").getByText("sim:refuse").waitFor();
    await page.context().close();
  });

  test("a label that its carrier does not take back is named, and the others are void", async () => {
    const [moving, still] = await family("Moving", 2);
    for (const id of [moving!, still!]) await screens.account.bought(id);
    const page = await choose("Moving", 2, { expected: /409/ });
    await screens.world.db
      .updateTable("shipments")
      .set({ status: "in_transit" })
      .where("account_id", "=", screens.account.account_id)
      .where("id", "=", moving!)
      .execute();
    await press(page, "Void");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Void the labels" }).click();
    await dialog.getByText("1 of 2 done").waitFor();
    await dialog.getByText("The carrier has scanned the parcel.").waitFor();
    expect(await dialog.getByRole("link").allInnerTexts()).toEqual(["Moving 0"]);
    const { body } = await screens.account.get<{ data: { status: string } }>(`/shipments/${still}`);
    expect(body.data.status).toBe("voided");
    await page.context().close();
  });

  test("a limit of the server's calls is shown with the seconds that it takes, and the rest is done after it", async () => {
    for (const id of await family("Limited", 3)) await screens.account.bought(id);
    const page = await choose("Limited", 3, { expected: /429/ });
    let isLimited = true;
    await page.route("**/void", async (route) => {
      if (!isLimited) return route.continue();
      isLimited = false;
      const error = { code: "too_many_requests", message: "Slow down.", details: {} };
      await route.fulfill({ status: 429, headers: { "retry-after": "6" }, json: { error } });
    });
    await press(page, "Void");
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Void the labels" }).click();
    await dialog.getByText("Waiting for the limit of calls a minute.").waitFor();
    await dialog.getByText(/^Continues in [1-6] s\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("3 shipments voided.").waitFor();
    await page.context().close();
  });

  test("the exported file has a row for each of all that match", async () => {
    await family("Listed", 70);
    const page = await choose("Listed", 50);
    await press(page, "Choose all 70 that match");
    await bar(page, 70).waitFor();
    const download = page.waitForEvent("download");
    await press(page, "Export CSV");
    const text = await readFile(await (await download).path(), "utf8");
    const [head, ...lines] = text.replace("\uFEFF", "").trim().split("\r\n");
    const references = lines.map((line) => line.split(",")[head!.split(",").indexOf("reference")]);
    const all = Array.from({ length: 70 }, (_, index) => `Listed-${index}`);
    expect(references.toSorted()).toEqual(all.toSorted());
    await page.context().close();
  });
});
