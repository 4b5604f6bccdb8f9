import { vi } from "vitest";
import type { DataOf, Purchase } from "./client.ts";
import { must, type TestAccount } from "./world.ts";

/** The label of a shipment, once its outcome is known and its file is there: before, `GET /labels/{id}` is 409. */
export function untilReady(account: TestAccount, id: string): Promise<Purchase> {
  return vi.waitFor(
    async () => must(await account.get<DataOf<Purchase>>(`/labels/${id}`), 200).data,
    { timeout: 20_000, interval: 50 },
  );
}
