import { bugsOfAttempts } from "./attempts.ts";
import { bugsOfConnections } from "./connections.ts";
import { bugsOfEvents } from "./events.ts";
import { bugsOfFiles } from "./files.ts";
import { bugsOfJournal } from "./journal.ts";
import { bugsOfKeys } from "./keys.ts";
import { bugsOfLeases } from "./leases.ts";
import { bugsOfLogs } from "./logs.ts";
import { bugsOfManifests } from "./manifests.ts";
import { bugsOfMoney } from "./money.ts";
import { bugsOfPeople } from "./people.ts";
import { bugsOfPickups } from "./pickups.ts";
import { bugsOfPurchases } from "./purchases.ts";
import { bugsOfRealCarriers } from "./real-carriers.ts";
import { bugsOfRules } from "./rules.ts";
import type { PlantedBug } from "./planted-bug.ts";

/**
 * Bugs that would cost money, each a small change of the product's own text, and the test that has to
 * detect it. `scripts/plant-bugs.ts` plants each in a copy, after a control run without any;
 * docs/reliability.md has the latest results.
 */
export const plantedBugs: readonly PlantedBug[] = [
  ...bugsOfAttempts,
  ...bugsOfKeys,
  ...bugsOfLeases,
  ...bugsOfMoney,
  ...bugsOfPurchases,
  ...bugsOfPickups,
  ...bugsOfManifests,
  ...bugsOfRealCarriers,
  ...bugsOfConnections,
  ...bugsOfJournal,
  ...bugsOfRules,
  ...bugsOfFiles,
  ...bugsOfEvents,
  ...bugsOfLogs,
  ...bugsOfPeople,
];
