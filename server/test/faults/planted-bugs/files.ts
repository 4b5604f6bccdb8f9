import type { PlantedBug } from "./planted-bug.ts";

/** Of files, backups and databases that are set back. */

const setBack = ["server/test/faults/database-set-back.test.ts"];

export const bugsOfFiles: PlantedBug[] = [
  {
    name: "answer before the bytes of a file are on the disk",
    file: "server/src/providers/files/disk.ts",
    find: "await Promise.all([file.sync(), folder.sync()]);",
    replace: "await folder.sync();",
    tests: ["server/test/faults/power-cut.test.ts"],
    red: "every file of the answered purchase is there",
  },
  {
    name: "commit a purchase before its label's file is on the disk",
    file: "server/src/purchasing/labels/label-purchase.ts",
    find: "await Promise.all(effects.map(({ stored }) => stored));",
    replace: "",
    tests: ["server/test/faults/slow-disks.test.ts"],
    red: "without a key is committed only once its label's file is on the disk",
  },
  {
    name: "accept a file of the right size without comparing its digest",
    file: "server/src/providers/files/check-file.ts",
    find: 'return found.bytes === bytes && found.sha256 === sha256 ? "intact" : "damaged";',
    replace: 'return found.bytes === bytes ? "intact" : "damaged";',
    tests: ["server/src/ledger/verify-files.test.ts"],
    red: "one that was changed, truncated or lost is named",
  },
  {
    name: "serve a document of the right size without comparing its digest",
    file: "server/src/providers/files/check-file.ts",
    find: "return found.bytes === bytes && found.sha256 === sha256 ? content : null;",
    replace: "return found.bytes === bytes ? content : null;",
    tests: ["server/test/faults/lost-files.test.ts"],
    red: "a label file that was overwritten by as many other bytes",
  },
  {
    name: "trust the promotion of an asynchronous standby",
    file: "server/src/database/health/continuity.ts",
    find: "return row.is_synchronous && isOf(row, known) ? null",
    replace: "return isOf(row, known) ? null",
    tests: setBack,
    red: "a promotion closes the gate where commits may be lost",
  },
  {
    name: "accept a copy of the database as the database",
    file: "server/src/database/health/continuity.ts",
    find: '  if (row.database_oid !== facts.database_oid) return "copied";\n',
    replace: "",
    tests: setBack,
    red: "a database that was copied and renamed into the place of the old one",
  },
  {
    name: "write secrets that a key stored sealed into a backup",
    file: "server/src/backup/snapshot-store.ts",
    find: 'const columnsLeftOut = ["idempotency_keys.sealed_body"];',
    replace: "const columnsLeftOut: string[] = [];",
    tests: ["server/src/resources/tokens/sealed-responses.test.ts"],
    red: "is in no table and in no backup",
  },
];
