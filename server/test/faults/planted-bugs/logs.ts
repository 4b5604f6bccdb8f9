import type { PlantedBug } from "./planted-bug.ts";

/** Of the request log and timelines. */

export const bugsOfLogs: PlantedBug[] = [
  {
    name: "wait for the log before a request is answered",
    file: "server/src/http/request-log.ts",
    find: "    if (isKept) request.logged_answer = payload;\n    done();",
    replace:
      "    if (isKept) request.logged_answer = payload;\n    const wait = () => (platform.request_log.hasMore() ? setTimeout(wait, 20) : done());\n    wait();",
    tests: ["server/src/request-log/writer.test.ts"],
    red: "while the log cannot be written requests answer the same",
  },
  {
    name: "show any text in a logged body, a street for one",
    file: "server/src/domain/logs/redact.ts",
    find: '  if (marked !== "show") return (text) => id.test(text);\n',
    replace: "",
    tests: ["server/src/domain/logs/redact.test.ts"],
    red: "other texts are hidden",
  },
  {
    name: "drop the lines that are newest when the log is full",
    file: "server/src/request-log/ring.ts",
    find: "      for (; isOver() && length() > 0; dropped++) shift();",
    replace: "      for (; isOver() && length() > 0; dropped++) waiting.pop();",
    tests: ["server/src/request-log/ring.test.ts"],
    red: "a full ring drops the oldest line",
  },
  {
    name: "write lines again as if they had not been sent before",
    file: "server/src/request-log/writer.ts",
    find: "        await write(options, batch, isDatabaseUnavailable);",
    replace: "        await write(options, batch, false);",
    tests: ["server/src/request-log/writer.test.ts"],
    red: "its lines are written again and stand once",
  },
  {
    name: "find no reads by the shipment that they were about",
    file: "server/src/http/request-log.ts",
    find: "          subject_id: hasRows ? null : (subjects[0] ?? null),",
    replace: "          subject_id: null,",
    tests: ["server/src/resources/requests/requests.test.ts"],
    red: "lines are found by status, method, path, request, key, time and shipment",
  },
  {
    name: "continue a timeline after all that happened in the cursor's millisecond",
    file: "server/src/shipping/timeline/slice-store.ts",
    find: 'AND (${inMillis(at)}, ${rank}, ${id} COLLATE "C") > (${after.at}::timestamptz, ${after.rank}::integer, ${after.id}::text)',
    replace: "AND ${inMillis(at)} > ${after.at}",
    tests: ["server/test/e2e/timeline.test.ts"],
    red: "pages of any size have the same entries",
  },
  {
    name: "show the bodies of the log to every reader of a timeline",
    file: "server/src/shipping/timeline/timeline.ts",
    find: 'const with_bodies = allows(token.scopes, ["logs:read"]);',
    replace: "const with_bodies = true;",
    tests: ["server/test/e2e/timeline.test.ts"],
    red: "bodies are shown to a token that may read the log",
  },
];
