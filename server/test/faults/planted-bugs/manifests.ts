import type { PlantedBug } from "./planted-bug.ts";

/** Of labels that are handed over: twice, never, or of another account. */

const manifests = ["server/test/e2e/manifests.test.ts"];
const late = ["server/test/e2e/late-manifests.test.ts"];
const plan = "server/src/resources/manifests/plan-manifest.ts";
const creation = "server/src/resources/manifests/manifest-creation.ts";

export const bugsOfManifests: PlantedBug[] = [
  {
    name: "hand a label over twice that two requests name at once",
    file: "server/src/resources/manifests/create-manifest.ts",
    find: "  refuseMembers(await findMembers(tx, account.account_id, ids));\n",
    replace: "  void refuseMembers;\n  void findMembers;\n",
    tests: manifests,
    red: "twenty manifests of one label at once: it is on one",
  },
  {
    name: "keep shipments on a manifest that its carrier refused",
    file: creation,
    find: "      await store.freeShipments(tx, partOf(attempt));\n",
    replace: "      void store.freeShipments;\n",
    tests: manifests,
    red: "what its carrier refuses is 502, and its shipments are free again",
  },
  {
    name: "take a manifest for refused whose document is not there",
    file: "server/src/carriers/canada-post/manifest-calls.ts",
    find: "      if (error instanceof CarrierError) return null;\n",
    replace: "",
    tests: ["server/src/carriers/canada-post/canada-post-specifics.test.ts"],
    red: "a manifest stands whose document cannot be fetched, and it is fetched later",
  },
  {
    name: "end the day of other accounts",
    file: plan,
    find: "  await refuseLabelsOfOthers(ctx, carrier!, groups);\n",
    replace: "  void refuseLabelsOfOthers;\n",
    tests: ["server/test/e2e/end-of-day.test.ts"],
    red: "one account does not end the day of another",
  },
  {
    name: "forget a manifest once it was given up",
    file: "server/src/outbound/recovery.ts",
    find: 'function canAppearLate({ recovery }: AnyOperation): boolean {\n  return recovery.by === "find";',
    replace:
      'function canAppearLate({ recovery, undo }: AnyOperation): boolean {\n  return recovery.by === "find" && undo !== undefined;',
    tests: late,
    red: "an operator is told of it, once",
  },
  {
    name: "tell operators of a late manifest again after each decision",
    file: "server/src/outbound/recovery-store.ts",
    find: "unwanted: sql<boolean>`unwanted OR status = 'absent'`,",
    replace: "unwanted: sql<boolean>`unwanted`,",
    tests: late,
    red: "an operator is told of it, once",
  },
  {
    name: "take a manifest of the same labels for the one that was given up",
    file: creation,
    find: 'if (status === "absent" && !(await areWaiting(platform, attempt, shipments))) return null;',
    replace: "void [status, areWaiting];",
    tests: late,
    red: "one of the same labels that was made since is not taken for it",
  },
];
