import fc from "fast-check";
import {
  aShipmentSubject,
  someCriteria,
  context,
} from "../server/src/domain/criteria/criteria-world.ts";
import { matcherOf } from "../server/src/domain/criteria/matches.ts";
import { readShipment } from "../server/src/domain/criteria/reading.ts";

/** How fast criteria are evaluated on subjects in memory: 10,000 shipments and 50 trees, on one core. */

const subjects = fc.sample(aShipmentSubject, { numRuns: 10_000, seed: 1 });
const criteria = fc.sample(someCriteria("shipments"), { numRuns: 50, seed: 1 });

function round(): { seconds: number; matches: number } {
  const start = performance.now();
  const matchers = criteria.map(matcherOf);
  let matches = 0;
  for (const subject of subjects) {
    const reading = readShipment(subject, context);
    for (const matcher of matchers) if (matcher(reading)) matches++;
  }
  return { seconds: (performance.now() - start) / 1000, matches };
}

round();
const rounds = Array.from({ length: 5 }, round).sort((a, b) => a.seconds - b.seconds);
const { seconds, matches } = rounds[2]!;
const perSecond = Math.round(subjects.length / seconds);
console.log(
  `${perSecond} shipments/s against ${criteria.length} criteria each (${matches} matches, median of 5 rounds)`,
);
