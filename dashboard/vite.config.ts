import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * Leaves out what React Aria says to screen readers in the thirty languages that the dashboard does not speak:
 * a tenth of the program.
 */
const twoLanguages: Plugin = {
  name: "two-languages",
  enforce: "pre",
  load(id) {
    const [, language] = /\/intl\/[\w-]+\/([a-z]{2}-[A-Z]{2})\.mjs$/.exec(id) ?? [];
    if (!language || language === "en-US" || language === "fr-FR") return null;
    return "export default {};";
  },
};

/**
 * What every screen needs, in one file: of many small ones each screen would list the names, and they compress
 * worse.
 */
const core = new RegExp(
  [
    "/node_modules/(react|react-dom|scheduler|use-sync-external-store)/",
    "/node_modules/@tanstack/(react-router|router-core|history|store|react-store|query-core|react-query)/",
    "/sdk/(src|generated)/",
    "/dashboard/src/(auth|environment|form-key|query-client|random-key|session|theme|url|waybill)\\.ts$",
    "/dashboard/src/words/",
    "/dashboard/src/shell/queries\\.ts$",
    "/dashboard/src/kit/(badge|button-style|card|clipboard|copy|empty|failure|icon|icon-paths|keys|link-button|money|moment|notice|page|problem|reason|skeleton|spinner|words)\\.tsx?$",
  ].join("|"),
);

/** The dashboard is served under `/app/` by the API's own server; `npm run dev` is the API with a rebuild. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/app/",
  plugins: [twoLanguages, react(), tailwind()],
  build: {
    target: "es2023",
    // Read by the tests of the budgets.
    manifest: true,
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A data: URL would need its own word in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "core", test: core }] } } },
    // Budgets are tested by compressed sizes.
    chunkSizeWarningLimit: 1000,
  },
});
