import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

/** A backup's manifest. It is the last entry of the archive, so that an archive that has one is complete. */

export const backupFormat = "waybill-backup/1";

export const manifestName = "manifest.json";
const tablesFolder = "tables/";
const filesFolder = "files/";

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });

export const BackedUpTable = Type.Object({
  name: Type.String({ minLength: 1 }),
  /** In the order of the entry's fields. */
  columns: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  rows: Count,
  bytes: Count,
  sha256: Digest,
});
export type BackedUpTable = Static<typeof BackedUpTable>;

export const Manifest = Type.Object({
  format: Type.Literal(backupFormat),
  waybill_version: Type.String(),
  postgres_version: Type.String(),
  /** The time of the snapshot. */
  taken_at: Type.String({ format: "date-time" }),
  /** The migrations that the database had, oldest first: its schema. */
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Digest }), { minItems: 1 }),
  /** In the order in which they can be filled: a table after those that it refers to. */
  tables: Type.Array(BackedUpTable, { minItems: 1 }),
  files: Type.Object({
    count: Count,
    bytes: Count,
    /** Of one line a file, in the archive's order: key, tab, size, tab, SHA-256. */
    sha256: Digest,
    /** Keys that shipments refer to, and that were not there to be backed up. */
    missing: Type.Array(Type.String()),
  }),
  /** What else a restore needs, as messages for the operator. */
  keep_beside: Type.Array(Type.String()),
});
export type Manifest = Static<typeof Manifest>;

const manifestShape = Compile(Manifest);

/** Not in any backup, because it must not be in the same hands as the archive, or Waybill does not own it. */
export const keepBeside: readonly string[] = [
  "WAYBILL_SECRET, or the file `secret` of the data directory: without it every signed link is void.",
  "The other WAYBILL_ settings of the environment.",
  "demo.json and the simulator's journal, where the simulated carriers are used.",
];

/** Parses the manifest. Throws a message for the operator when it is not valid. */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("the backup's manifest is not JSON");
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === "string" && format !== backupFormat)
    throw new Error(`the backup has the format ${format}; this release reads ${backupFormat}`);
  if (!manifestShape.Check(value)) throw new Error("the backup's manifest cannot be read");
  return value;
}

export function tableEntry(table: string): string {
  return `${tablesFolder}${table}.copy`;
}

export function fileEntry(key: string): string {
  return `${filesFolder}${key}`;
}

export type EntryKind =
  { kind: "table"; table: string } | { kind: "file"; key: string } | { kind: "manifest" };

/** The kind of an entry of the archive, by its name. Throws when no backup has such an entry. */
export function kindOf(name: string): EntryKind {
  if (name === manifestName) return { kind: "manifest" };
  const table = /^tables\/(\w+)\.copy$/.exec(name)?.[1];
  if (table) return { kind: "table", table };
  if (name.startsWith(filesFolder)) return { kind: "file", key: name.slice(filesFolder.length) };
  throw new Error(`no backup has an entry called ${name}`);
}
