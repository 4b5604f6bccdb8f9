import { afterAll, beforeAll, expect, test } from "vitest";
import { chosenCells, nameOf, strike } from "./webhook-cells.ts";
import { aWebhookRig, type WebhookRig } from "./webhook-rig.ts";

/**
 * Crash tests of the promise: whatever dies at any point of an event's way, within thirty seconds each receiver
 * has accepted each event, signed and with the same bytes, what counts as delivered was received, and no more
 * came twice than was under way. `WAYBILL_CRASH_MATRIX=full` strikes all cells, `WAYBILL_CRASH_SEED` chooses
 * another part, and `WAYBILL_CRASH_CELLS=<part of their names>` those alone.
 */

let rig: WebhookRig | null = null;
beforeAll(async () => {
  rig = await aWebhookRig();
}, 120_000);
afterAll(() => rig?.close());

for (const cell of chosenCells())
  test(nameOf(cell), { timeout: 120_000 }, async () => {
    // The state of a failed cell would spoil the next ones.
    const own = (rig ??= await aWebhookRig());
    rig = null;
    try {
      expect(await strike(own, cell)).toEqual([]);
      rig = own;
    } finally {
      if (!rig) await own.close();
    }
  });
