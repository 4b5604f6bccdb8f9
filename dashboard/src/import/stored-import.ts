import type { RowProblems } from "./entry.ts";
import type { Mapping, Units } from "./mapping.ts";
import type { ParsedFile } from "./read-file.ts";

/** An import under way, as it is kept in the browser until its batch is made. */
export interface Import extends ParsedFile {
  name: string;
  mapping: Mapping;
  units: Units;
  step: "columns" | "check" | "buy";
  /** By the row's place: the shipment that was made of it. */
  created: Record<number, string>;
  /** By the row's place: the service or strategy that its shipment names. Absent in imports kept before. */
  services?: Record<number, string>;
  problems: Record<number, RowProblems>;
  /** The chunks of the present check that have no answer yet: they are sent again as they are. */
  sending: number[][] | null;
}

const database = "waybill-import";
const store = "imports";

/** The import under way in the place (person and environment); null for none. */
export async function readStoredImport(place: string): Promise<Import | null> {
  const kept: unknown = await run("readonly", (imports) => imports.get(place));
  return (kept as Import | undefined) ?? null;
}

/** Keeps the import, so that a closed tab can go on with it. */
export async function storeImport(place: string, value: Import): Promise<void> {
  await run("readwrite", (imports) => imports.put(value, place));
}

/** The import has ended. */
export async function dropStoredImport(place: string): Promise<void> {
  await run("readwrite", (imports) => imports.delete(place));
}

/** Addresses of recipients are not left behind for the next person. */
export function forgetImports(): void {
  indexedDB.deleteDatabase(database);
}

async function run(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest) {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(store));
  const opened = (await resultOf(opening)) as IDBDatabase;
  try {
    return await resultOf(act(opened.transaction(store, mode).objectStore(store)));
  } finally {
    opened.close();
  }
}

function resultOf(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(new Error(request.error?.message)));
  });
}
