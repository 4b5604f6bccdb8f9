import type { PlantedBug } from "./planted-bug.ts";

/** Of what is shared: transactions, leases, slots and connections. */

const conditions = "server/src/outbound/attempt-store.test.ts";
const shared = "server/src/database/account-transaction.ts";
const bulkhead = "server/src/domain/scheduling/bulkhead.ts";
const claims = ["server/src/purchasing/queue/rule-store.test.ts"];
const fairClaims = ["server/src/database/leases/fair-claims.test.ts"];

export const bugsOfLeases: PlantedBug[] = [
  {
    name: "execute the statements after one that failed",
    file: "server/src/database/driver/pipeline.ts",
    find: "const results = await send([...before, statement, ...(isLast ? [commit] : [])]);",
    replace: `if (before.length > 0) await send(before).catch(() => client.query("rollback; begin"));
      const results = [...before, ...(await send([statement, ...(isLast ? [commit] : [])]))] as pg.QueryResult[];`,
    tests: ["server/src/database/driver/pipeline.test.ts"],
    red: "where what is pipelined fails, nothing after it is executed",
  },
  {
    name: "refuse every request that shares a transaction with a refused one",
    file: shared,
    find: "else await Promise.all(group.map((each) => serve(db, accountId, [each])));",
    replace: "else for (const { reject } of group) reject(cause);",
    tests: ["server/src/database/account-transaction.test.ts"],
    red: "an item that fails does so alone",
  },
  {
    name: "let two purchases of one shipment share a transaction",
    file: shared,
    find: "if (others?.subjects.has(subject))",
    replace: "if (others?.subjects.has(`${subject}?`))",
    tests: ["server/src/database/account-transaction.test.ts"],
    red: "two items of one subject never share",
  },
  {
    name: "take attempts over from live processes",
    file: "server/src/database/leases/holder.ts",
    find: "AND heartbeat_at > now() - make_interval(secs => ${lease_seconds})",
    replace: "AND heartbeat_at > now() + interval '2 hours'",
    tests: [conditions],
    red: "takes from dead processes at once, and from live ones when their time is over",
  },
  {
    name: "lock the shipments of a group in any order",
    file: shared,
    find: ".sort(bySubject)",
    replace: "",
    tests: ["server/src/database/account-transaction.test.ts"],
    red: "items that share a transaction are executed in the order of their subjects",
  },
  {
    name: "buy a rule's purchase that another process has",
    file: "server/src/database/leases/claimed-rows.ts",
    find: " AND own.holder_id = ${process_id}\n      RETURNING",
    replace: "\n      RETURNING",
    tests: claims,
    red: "another process's",
  },
  {
    name: "take over more of one party than its slots",
    file: "server/src/database/leases/claim-by-party.ts",
    find: "let left = places;",
    replace: "let left = places + 1000;",
    tests: [conditions],
    red: "takes of each party as many as it has slots",
  },
  {
    name: "let one account's backlog at a party hide the others'",
    file: "server/src/database/leases/claim-by-party.ts",
    find: "candidates.length === places * readForPlace;",
    replace: "places < 0;",
    tests: fairClaims,
    red: "delays another's only one by at most a round",
  },
  {
    name: "forget which account was served last",
    file: "server/src/database/leases/take-next.ts",
    find: "      lastServed.set(db, account_id);\n",
    replace: "",
    tests: fairClaims,
    red: "accounts are served round-robin, however many have a backlog",
  },
  {
    name: "give one account more slots than are left for others",
    file: bulkhead,
    find: "held < bound.each(owner) && held < free",
    replace: "held < bound.each(owner) && held <= free",
    tests: ["server/src/domain/scheduling/bulkhead.test.ts"],
    red: "one owner that wants all has half, two a third each, and a newcomer gets a slot",
  },
  {
    name: "give a free slot to the higher rank",
    file: bulkhead,
    find: "heldBy(one) < heldBy(other) : one.rank < other.rank",
    replace: "heldBy(one) < heldBy(other) : one.rank > other.rank",
    tests: ["server/src/domain/scheduling/bulkhead.test.ts"],
    red: "a free slot goes to the lower rank, then to the owner that holds fewer, then to the first in the queue",
  },
  {
    name: "admit one owner repeatedly",
    file: bulkhead,
    find: "      queues.delete(first.key);\n      if (queue.length > 0) queues.set(first.key, queue);",
    replace: "      if (queue.length === 0) queues.delete(first.key);",
    tests: ["server/src/threads/threads.test.ts"],
    red: "accounts take turns, however much one of them asks for",
  },
  {
    name: "do not wake a seeker when its owner's pause ends",
    file: bulkhead,
    find: "if (queues.isAnyWaiting()) wakeBy(now);",
    replace: "",
    tests: ["server/src/domain/scheduling/bulkhead.test.ts"],
    red: "an owner that has used up its time pauses until then, without any release; others do not wait for it",
  },
  {
    name: "do not limit an account's requests in work while others are active",
    file: "server/src/http/own-work.ts",
    find: "usedTime(small, owner) > 0 ? 1 : fewAtOnce",
    replace: "most",
    tests: ["server/src/http/own-work.test.ts"],
    red: "with others active an account has eight requests of its own in work, and one after a long one",
  },
  {
    name: "admit the sandbox as soon as production",
    file: "server/src/http/admission.ts",
    find: "rank: isSandbox ? 1 : 0",
    replace: "rank: isSandbox ? 0 : 0",
    tests: ["server/src/http/admission-order.test.ts"],
    red: "a freed slot goes to production, though the sandbox has waited longer",
  },
  {
    name: "let criteria have all connections of an account",
    file: "server/src/database/driver/pool.ts",
    find: "behalf.is_by_criteria ? [all, accounts, criteria] : [all, accounts]",
    replace: "behalf.is_by_criteria ? [all, accounts] : [all, accounts]",
    tests: ["server/src/database/driver/pool.test.ts"],
    red: "of an account's connections at most one runs statements by criteria",
  },
  {
    name: "buy an item of a batch that another process has",
    file: "server/src/database/leases/claimed-rows.ts",
    find: " AND own.holder_id = ${process_id}\n      RETURNING",
    replace: "\n      RETURNING",
    tests: ["server/src/purchasing/queue/item-store.test.ts"],
    red: "held by another process cannot be ended by the former holder",
  },
];
