import type { PlantedBug } from "./planted-bug.ts";

/** Of labels that are handed over: twice, never, or of another account. */

const manifests = ["server/test/e2e/manifests.test.ts"];
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
    name: "take a manifest for refused whose paper is not there",
    file: "server/src/carriers/canada-post/manifest-desk.ts",
    find: "      if (error instanceof CarrierError) return null;\n",
    replace: "",
    tests: ["server/src/carriers/canada-post/canada-post-ways.test.ts"],
    red: "a manifest stands whose paper cannot be had, and it is had later",
  },
  {
    name: "end the day of other accounts",
    file: plan,
    find: "  await refuseLabelsOfOthers(ctx, carrier!, groups);\n",
    replace: "  void refuseLabelsOfOthers;\n",
    tests: ["server/test/e2e/end-of-day.test.ts"],
    red: "one account does not end the day of another",
  },
];
