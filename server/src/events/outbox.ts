import { newId } from "../domain/ids.ts";
import { json, type Tx } from "../database/tables.ts";

/** What happened to whom. Written in the transaction of the fact, so neither is ever there alone. */
export interface Event {
  account_id: string;
  type: string;
  subject_id: string;
  data: object;
}

export async function recordEvent(
  tx: Tx,
  { account_id, type, subject_id, data }: Event,
): Promise<void> {
  await tx
    .insertInto("events")
    .values({ account_id, id: newId("evt"), type, subject_id, data: json(data) })
    .execute();
}
