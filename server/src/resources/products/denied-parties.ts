import { parse } from "csv-parse";
import type { Readable } from "node:stream";
import type { AccountContext } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { byShell } from "../../domain/accounts/principal.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import {
  screenOf,
  testParties,
  type DeniedParty,
  type Screen,
} from "../../domain/products/denied-parties.ts";
import { cleanText } from "../../domain/text/text.ts";
import * as store from "./denied-parties-store.ts";

interface List {
  screen: Screen;
  is_test_list: boolean;
}

const prepared = new WeakMap<Database, { version: number; live: List; test: List }>();

/**
 * The list that names are screened against: the operator's list, compiled once in each process. The sandbox
 * has the test names in addition, and so has production until a list is loaded.
 */
export async function currentScreen({ db, account }: AccountContext): Promise<List> {
  const version = await store.listVersion(db);
  let lists = prepared.get(db);
  if (lists?.version !== version) {
    const loaded = version === 0 ? [] : await store.listDeniedParties(db);
    const is_test_list = loaded.length === 0;
    const test = { screen: screenOf([...testParties, ...loaded]), is_test_list };
    const live = is_test_list ? test : { screen: screenOf(loaded), is_test_list };
    prepared.set(db, (lists = { version, live, test }));
  }
  return account.environment === "live" ? lists.live : lists.test;
}

const partSize = 1000;

/**
 * Replaces the list by a file's: CSV with a column `name`, and, where there are, `alt_names` (separated by
 * semicolons) and `source`. Other columns are ignored, so that the published consolidated lists load as they
 * are. Returns how many names it has. Throws, and changes nothing, when there is no `name`.
 */
export async function loadDeniedParties(db: Database, file: Readable): Promise<number> {
  return inTransaction(db, async (tx) => {
    await store.beginNewList(tx);
    let count = 0;
    let part: DeniedParty[] = [];
    const flush = async () => {
      if (part.length > 0) await store.addDeniedParties(tx, { parties: part, after: count });
      count += part.length;
      part = [];
    };
    for await (const party of partiesIn(file)) {
      part.push(party);
      if (part.length === partSize) await flush();
    }
    await flush();
    if (count === 0) throw new Error("the file has no names");
    const line = { action: "denied_parties.loaded", subject_id: "denied_parties", by: byShell };
    await recordAudit(tx, { account_id: operatorsAccountId, ...line, details: { count } });
    return count;
  });
}

async function* partiesIn(file: Readable): AsyncGenerator<DeniedParty> {
  const rows = file.pipe(
    parse({ bom: true, columns: namesOfColumns, relax_column_count: true, skip_empty_lines: true }),
  );
  file.on("error", (error) => rows.destroy(error));
  for await (const row of rows as AsyncIterable<Record<string, string | undefined>>) {
    const source = cleanText(row["source"] ?? "") ?? "the loaded list";
    for (const text of [row["name"] ?? "", ...(row["alt_names"] ?? "").split(";")]) {
      const name = cleanText(text);
      if (name) yield { name, source };
    }
  }
}

function namesOfColumns(header: string[]): string[] {
  const columns = header.map((column) =>
    column
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, "_"),
  );
  if (!columns.includes("name")) throw new Error("the file has no column `name`");
  return columns;
}
