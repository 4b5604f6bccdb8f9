import server from "./.dependency-cruiser.mjs";

/**
 * Who may import whom in the dashboard. Every rule has a negative control in
 * `server/test/boundaries/dashboard-boundaries.test.ts`.
 */

const src = "^dashboard/src/";

export default {
  forbidden: [
    {
      name: "dashboard-imports",
      severity: "error",
      comment:
        "The dashboard is a client: it knows the API by the SDK, and nothing of the server's code.",
      from: { path: "^dashboard/" },
      to: { path: "^(server|cli|scripts)/" },
    },
    {
      name: "screens-apart",
      severity: "error",
      comment: "An area's screens know no other area's. What two need belongs into kit/ or shell/.",
      from: { path: `${src}screens/([^/]+)/` },
      to: { path: `${src}screens/`, pathNot: `${src}screens/$1/` },
    },
    {
      name: "kit-draws-only",
      severity: "error",
      comment:
        "The kit draws what it is given, and calls nothing. Read in the screen's queries.ts.",
      from: { path: `${src}kit/` },
      to: { path: "^(dashboard/src|sdk)/", pathNot: `${src}(kit|words)/` },
    },
    {
      name: "no-barrels",
      severity: "error",
      comment:
        "A file that collects others brings them all into the first load. Import the file itself.",
      from: { path: src },
      to: { path: `${src}.*/index\\.tsx?$` },
    },
    {
      name: "parts-of-the-kit-by-name",
      severity: "error",
      comment: "React Aria is imported by the component, not as a whole.",
      from: { path: src },
      to: { path: "node_modules/react-aria-components/dist/(types/)?exports/index\\." },
    },
    {
      name: "everything-resolves",
      severity: "error",
      comment: "What cannot be found cannot be judged. Correct the path, or install the library.",
      from: { path: src },
      to: { couldNotResolve: true, pathNot: "^virtual:" },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment:
        "Two files that need each other are one story, or hide a third. Join or divide them.",
      from: { path: src },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only", "dynamic-import"] } },
    },
  ],
  options: { ...server.options, tsConfig: { fileName: "dashboard/tsconfig.json" } },
};
