import type { PlantedBug } from "./planted-bug.ts";

/** Of events, the feed, webhooks and the addresses that they call. */

const placing = "server/src/events/feed/place.ts";
const feedReading = "server/src/events/feed/read-store.ts";
const publicConnections = ["server/src/transport/public-connections.test.ts"];
const dispatch = ["server/src/events/webhooks/dispatch.test.ts"];
const lanes = "server/src/events/webhooks/lanes.ts";
const sendFile = "server/src/events/webhooks/send.ts";

export const bugsOfEvents: PlantedBug[] = [
  {
    name: "read the ends of the feeds before they are locked",
    file: placing,
    find: `      const feeds = await lockFeeds(tx, accounts);
`,
    replace: `      const early = await db
        .selectFrom("event_feeds")
        .select(["account_id", "last_position"])
        .where("account_id", "in", accounts)
        .execute();
      const locked = new Set((await lockFeeds(tx, accounts)).map(({ account_id }) => account_id));
      const feeds = early.filter(({ account_id }) => locked.has(account_id));
`,
    tests: ["server/src/events/feed/place.test.ts"],
    red: "however many write, place and read at once",
  },
  {
    name: "place an event that has a position",
    file: "server/src/events/feed/place-store.ts",
    find: "      FROM taken CROSS JOIN",
    replace: `      FROM (
        SELECT next.*, outbox.created_at, outbox.events
        FROM next JOIN event_outbox AS outbox USING (account_id, made)) AS taken CROSS JOIN`,
    tests: ["server/src/events/feed/place.test.ts"],
    red: "an event that has a position by now is not placed again",
  },
  {
    name: "read the feed by the order of insertion",
    file: feedReading,
    find: "sql`position` : sql`sequence`",
    replace: "sql`made` : sql`sequence`",
    tests: ["server/src/resources/events/events.test.ts"],
    red: "is in the order of positions",
  },
  {
    name: "show the event of the cursor again",
    file: feedReading,
    find: "WHERE account_id = ${account_id} AND position > ${after} AND position <= ${through}",
    replace: "WHERE account_id = ${account_id} AND position >= ${after} AND position <= ${through}",
    tests: ["server/src/resources/events/events.test.ts"],
    red: "has the events behind a cursor",
  },
  {
    name: "skip in a stream what came while it caught up",
    file: "server/src/resources/events/messages.ts",
    find: "    if (after > known) hasGap = true;\n",
    replace: "",
    tests: ["server/src/resources/events/messages.test.ts"],
    red: "is sent what came between",
  },
  {
    name: "use positions of a restored feed again",
    file: "server/src/backup/restore-store.ts",
    find: '  await client.query("SELECT jump_feeds($1)", [byShell.actor]);\n',
    replace: "",
    tests: ["server/test/faults/backup.test.ts"],
    red: "behind every position that its readers were told",
  },
  {
    name: "number a subject's events anew when all of them are pruned",
    file: "server/src/events/feed/prune-store.ts",
    find: "SELECT ${account_id}, subject_id, max(sequence) FROM gone GROUP BY subject_id",
    replace:
      "SELECT ${account_id}, subject_id, max(sequence) FROM gone WHERE false GROUP BY subject_id",
    tests: ["server/src/events/feed/prune.test.ts"],
    red: "a subject's sequence goes on when its events are gone",
  },
  {
    name: "prune an event that has a pending delivery",
    file: "server/src/events/feed/prune.ts",
    find: "!is_old || is_pending",
    replace: "!is_old",
    tests: ["server/src/events/feed/prune.test.ts"],
    red: "an event with a pending delivery stays",
  },
  {
    name: "count a failure that a process heard after it had lost the webhook",
    file: "server/src/events/webhooks/end-store.ts",
    find: "              AND webhooks.fence = each.fence AND webhooks.holder_id = ${process_id}))`",
    replace: "              ))`",
    tests: ["server/src/events/webhooks/ends.test.ts"],
    red: "a failure without the fence changes nothing",
  },
  {
    name: "lose the ends of deliveries when a process stops",
    file: "server/src/events/webhooks/dispatch.ts",
    find: "    await attempts.idle(stopMs);\n",
    replace: "",
    tests: dispatch,
    red: "a process that stops begins nothing, waits for answers",
  },
  {
    name: "leave webhooks to a process that is dead",
    file: "server/src/events/webhooks/claim.ts",
    find: '    OR webhooks.holder_id <> ${process_id} AND ${holderIsDead("webhooks.holder_id", lease_seconds)})`;',
    replace: "    )`;",
    tests: dispatch,
    red: "a 2xx counts in whichever process it arrives",
  },
  {
    name: "let failing webhooks have the slots of healthy ones",
    file: lanes,
    find: '    pool: health.failing_since === null ? "healthy" : "failing",',
    replace: '    pool: "healthy",',
    tests: ["server/src/events/webhooks/lanes.test.ts"],
    red: "endpoints that hang fill their own slots alone",
  },
  {
    name: "send an endpoint as much at once as there is",
    file: lanes,
    find: "lane.jobs.length > 0 && lane.under_way < lane.limit)",
    replace: "lane.jobs.length > 0)",
    tests: dispatch,
    red: "an endpoint is never sent more at once than its limit",
  },
  {
    name: "count a refusal by the receiver as delivered",
    file: sendFile,
    find: "status >= 200 && status < 300;",
    replace: "status >= 200 && status < 500;",
    tests: dispatch,
    red: "a 404 is a failure",
  },
  {
    name: "sign with the newest secret alone while the old one is still in force",
    file: "server/src/events/webhooks/sign.ts",
    find: "return secrets.map(",
    replace: "return secrets.slice(0, 1).map(",
    tests: ["server/src/events/webhooks/sign.test.ts"],
    red: "while a secret is being replaced, both verify",
  },
  {
    name: "sign other bytes than those that are sent",
    file: sendFile,
    find: "        timestamp_seconds,\n        body,\n",
    replace:
      "        timestamp_seconds,\n        body: JSON.stringify(JSON.parse(body), null, 1),\n",
    tests: dispatch,
    red: "each event reaches each webhook, signed",
  },
  {
    name: "end the old secret when a webhook gets a new one",
    file: "server/src/resources/webhooks/rotate-secret.ts",
    find: "const at = new Date(now.getTime() + overlapHours * hourMs);",
    replace: "const at = now;",
    tests: ["server/src/resources/webhooks/webhooks.test.ts"],
    red: "the old one signs beside it for a day",
  },
  {
    name: "send a delivery again while a live process sends it",
    file: "server/src/resources/deliveries/redeliver.ts",
    find: "if (is_held && (await store.isDue(tx, delivery)))",
    replace: "if (!is_held && (await store.isDue(tx, delivery)))",
    tests: ["server/src/resources/deliveries/deliveries.test.ts"],
    red: "is 409 while a live process sends it",
  },
  {
    name: "replay to a webhook what is said about it",
    file: "server/src/resources/webhooks/replay-store.ts",
    find: " AND event.subject_id <> ${webhook_id}",
    replace: "",
    tests: ["server/src/resources/webhooks/replay.test.ts"],
    red: "never sends a webhook what is said about it",
  },
  {
    name: "judge the addresses of names only, not those in URLs",
    file: "server/src/domain/reach/public-url.ts",
    find: "nameProblem(url.hostname) : addressProblem(address, reach)",
    replace: "nameProblem(url.hostname) : null",
    tests: publicConnections,
    red: "no connection is made to this machine, however its address is written",
  },
  {
    name: "judge only the first address of a name",
    file: "server/src/transport/public-connections.ts",
    find: "for (const address of addresses) checkAddress",
    replace: "for (const address of addresses.slice(0, 1)) checkAddress",
    tests: publicConnections,
    red: "a name with an allowed and another private address is refused",
  },
  {
    name: "write to a socket without looking where it ended up",
    file: "server/src/transport/public-connections.ts",
    find: 'checkAddress(socket.remoteAddress ?? "", named, settings.reach);',
    replace: "",
    tests: publicConnections,
    red: "a socket that ended up at another address than the checked one is not written to",
  },
  {
    name: "follow a webhook's redirect",
    file: "server/src/transport/public-call.ts",
    find: "      dispatcher: agent,\n",
    replace:
      '      dispatcher: agent.compose((await import("undici")).interceptors.redirect({ maxRedirections: 3 })),\n',
    tests: publicConnections,
    red: "a redirect is a status, and is not followed",
  },
  {
    name: "let the environment turn off the verification of certificates",
    file: "server/src/transport/public-connections.ts",
    find: "    rejectUnauthorized: true,\n",
    replace: "",
    tests: ["server/src/transport/public-call.test.ts"],
    red: "is a tls error, whatever the environment says",
  },
  {
    name: "read the whole of an endless answer",
    file: "server/src/transport/public-call.ts",
    find: "      if (read > maxReadBytes) break;\n",
    replace: "",
    tests: ["server/src/transport/public-call.test.ts"],
    red: "and a socket that sends more than 16 KB is destroyed",
  },
];
