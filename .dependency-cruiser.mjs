/**
 * Who may import whom. Every rule has a negative control in `server/test/boundaries/`: a planted
 * violation that it must catch. A type is an import like any other, unless the rule says otherwise.
 */

const src = "^server/src/";
/** The SDK without its tests and build. */
const sdk = "^sdk/(src|generated)/";
/** What a verb may touch, how it is set up, and what is counted: for resources, http and the wiring. */
const shared = "(context|config|metrics)\\.ts$";
/** Puts the parts together and starts them: it imports everything, and nobody imports it. */
const wiring = `${src}(wiring|cli|seed)/`;
/** Tests, and what only tests use. */
export const tests =
  "\\.test\\.ts$|-world\\.ts$|carriers/contract(-pickups|-manifests|-freight)?\\.ts$";

/** What shipments, rules and purchases stand on: all that is no URL and knows none of them. */
const foundation =
  "(carriers|database|documents|domain|events|http|jobs|journal|ledger|outbound|providers|quoting|threads|transport)/";

/** `folder` may import, of ours, only itself and what matches one of `allowed`. */
function layer(folder, allowed, comment) {
  const mayUse = [folder, ...allowed].map((each) => `${src}${each}`).join("|");
  return {
    name: `${folder.replace(/\/$/, "")}-imports`,
    severity: "error",
    comment,
    from: { path: `${src}${folder}`, pathNot: tests },
    to: { path: src, pathNot: mayUse },
  };
}

export default {
  forbidden: [
    layer(
      "domain/",
      [],
      "The domain is rules without I/O and knows nothing of ours. Move what does I/O to a resource, or pass its result in.",
    ),
    {
      name: "domain-without-io",
      severity: "error",
      comment:
        "The domain reads no files and calls nobody. Do that in a store, provider or carrier, and pass the result in.",
      from: { path: `${src}domain/`, pathNot: tests },
      to: {
        path: "^(node:)?(fs|net|http|http2|https|tls|dgram|dns|child_process|cluster|worker_threads)(/|$)",
      },
    },
    layer(
      "database/",
      ["domain/"],
      "The database knows the domain only. SQL about a resource belongs in that resource's store.ts.",
    ),
    layer(
      "carriers/",
      ["domain/", "transport/", "drawing/"],
      "A carrier translates between the domain and its own wire format. Pass in what it needs.",
    ),
    {
      name: "only-the-simulator-draws",
      severity: "error",
      comment:
        "A real carrier sends its labels; only the simulator, which plays carriers, draws them. Documents of our own belong in documents/. What a carrier sends as dots may be written as another file.",
      from: { path: `${src}carriers/(?!simulator/)`, pathNot: tests },
      to: { path: `${src}drawing/(?!grey-png\\.ts$)` },
    },
    layer(
      "drawing/",
      [],
      "drawing/ knows paper, letters and bars. What a paper says belongs in documents/ or the simulator.",
    ),
    layer(
      "documents/",
      ["domain/", "drawing/"],
      "A document is drawn from plain facts. Collect them in the resource whose document it is.",
    ),
    layer(
      "threads/",
      [
        "domain/",
        "documents/",
        "carriers/(protocol/label-files|simulator/print-label)\\.ts$",
        "providers/classification/search\\.ts$",
      ],
      "A thread turns facts into a result, and has neither the database nor the platform. Pass in what it needs.",
    ),
    layer(
      "providers/",
      ["domain/", "transport/"],
      "A provider is one outside party behind an interface; it knows the domain only.",
    ),
    layer(
      "transport/",
      ["domain/"],
      "transport/ carries bytes to outside parties and back. What they mean belongs in the carrier or provider.",
    ),
    layer(
      "jobs/",
      ["domain/", "database/"],
      "Jobs run what others hand them. Wire loops in wiring/worker.ts.",
    ),
    layer(
      "request-log/",
      ["domain/", "database/", "carriers/(carrier|pickups)\\.ts$"],
      "The log keeps lines of others, and knows carriers by their interface only. What a line says, its writer decides.",
    ),
    layer(
      "http/",
      ["domain/", "database/", "events/audit-log\\.ts$", "request-log/known-codes\\.ts$", shared],
      "http/ knows no resource. What a resource needs of it, it gives as a function.",
    ),
    layer(
      "ledger/",
      ["domain/", "database/"],
      "The books know nothing of who moves money. Pass a posting in.",
    ),
    layer(
      "events/",
      ["domain/", "database/", "jobs/", "transport/"],
      "The module that makes a change writes its event. events/ tells others of it, and knows nothing of what it means.",
    ),
    layer(
      "outbound/",
      ["domain/", "database/", "ledger/", "jobs/", "events/outbox\\.ts$"],
      "outbound/ knows no operation by name. Describe yours as an OutboundOperation in its resource.",
    ),
    layer(
      "backup/",
      ["domain/", "database/", "ledger/", "providers/files/(check-file|files|sync-folder)\\.ts$"],
      "A backup is tables and files, whatever they mean. Put what a row means into its resource.",
    ),
    layer(
      "journal/",
      [
        "domain/",
        "carriers/(carrier|pickups|journal-entry)\\.ts$",
        "providers/files/appended\\.ts$",
      ],
      "The journal is lines that outlive the database. What is made of them after a restore is reconcile/.",
    ),
    layer(
      "reconcile/",
      [
        "domain/",
        "database/",
        "ledger/",
        "outbound/",
        "events/",
        "carriers/(carrier|pickups|journal-entry)\\.ts$",
        "journal/read-journal\\.ts$",
        "providers/payments/payments\\.ts$",
        "shipping/",
        "purchasing/",
        "resources/[^/]+/service\\.ts$",
        "resources/pickups/operations\\.ts$",
        shared,
      ],
      "A reconciliation compares what parties list with what resources know, and acts through both. Export what it needs from the resource's service.ts.",
    ),
    layer(
      "quoting/",
      ["domain/", "carriers/carrier\\.ts$"],
      "Quoting sees carriers by their interface only, carriers/carrier.ts.",
    ),
    layer(
      "shipping/",
      [foundation, shared],
      "shipping/ is the state of shipments and of what changes with them. What rules do is automation/, what buys is purchasing/, what answers a URL is resources/.",
    ),
    layer(
      "automation/",
      [foundation, shared, "shipping/"],
      "automation/ lets rules act. It buys nothing itself: it writes down what is to be bought.",
    ),
    layer(
      "purchasing/",
      [foundation, shared, "shipping/", "automation/"],
      "purchasing/ prices and buys for whoever asks, and knows no URL.",
    ),
    {
      name: "carriers-apart",
      severity: "error",
      comment:
        "A carrier never imports another carrier. What two share goes to carrier.ts, protocol/, simulated/ or the domain.",
      // The guard is no carrier: its test puts one of them behind it.
      from: {
        path: `${src}carriers/(?!simulat)([^/]+)/`,
        pathNot: `${src}carriers/guard/.*${tests}`,
      },
      to: {
        path: `${src}carriers/(?!simulat|protocol/|corpus/)[^/]+/`,
        pathNot: `${src}carriers/$1/`,
      },
    },
    {
      name: "resources-by-service",
      severity: "error",
      comment:
        "A resource reaches another only by its service.ts. Export there what others may use.",
      from: { path: `${src}resources/([^/]+)/`, pathNot: tests },
      to: { path: `${src}resources/`, pathNot: `${src}resources/($1/|[^/]+/service\\.ts$)` },
    },
    {
      name: "nobody-imports-the-wiring",
      severity: "error",
      comment:
        "wiring, cli and seed put the parts together; a part that needs them is in the wrong place. Take what you need as an argument.",
      from: { path: src, pathNot: `${wiring}|${tests}` },
      to: { path: wiring },
    },
    {
      name: "sql-in-stores",
      severity: "error",
      comment:
        "SQL is written in store.ts files, ledger/, outbound/, jobs/, events/ and database/. Add a function to the store.",
      from: {
        path: src,
        pathNot: `${src}(ledger|outbound|jobs|events|database)/|store\\.ts$|${src}http/(idempotency|idempotency-claims|paging|page-sql)\\.ts$|${tests}`,
      },
      to: { path: "node_modules/(kysely|pg)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "fastify-at-the-edge",
      severity: "error",
      comment:
        "Fastify is known to routes.ts, http/, wiring/app.ts and the simulator's server. A verb takes (ctx, input).",
      from: {
        path: src,
        pathNot: `routes\\.ts$|${src}http/|${src}wiring/app\\.ts$|${src}carriers/simulator/|${tests}`,
      },
      to: { path: "node_modules/(fastify|@fastify)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "commander-in-cli",
      severity: "error",
      comment: "The shell is cli/cli.ts's business alone. Take an argument instead.",
      from: { path: src, pathNot: `${src}cli/` },
      to: { path: "node_modules/commander/" },
    },
    {
      name: "product-without-tests",
      severity: "error",
      comment:
        "The product runs without its tests and their tools. Move what both need out of the test helper.",
      from: { path: src, pathNot: tests },
      to: { path: `${tests}|^server/test/|node_modules/(vitest|@vitest|fast-check|zxing-wasm)/` },
    },
    {
      name: "sdk-imports-nothing",
      severity: "error",
      comment:
        "The SDK runs in browsers and workers, and its users install nothing else: no library, no module of Node, nothing of ours.",
      from: { path: sdk },
      to: { pathNot: sdk },
    },
    {
      name: "everything-resolves",
      severity: "error",
      comment: "What cannot be found cannot be judged. Correct the path, or install the library.",
      from: { path: src },
      to: { couldNotResolve: true },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment:
        "Two files that need each other are one story, or hide a third. Join or divide them.",
      from: { path: src, pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    moduleSystems: ["es6"],
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
