import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["server/**/*.test.ts"],
    globalSetup: "server/test/setup/postgres.ts",
    environment: "node",
    pool: "forks",
    // Much of the suite waits: for leases, for carriers that hang, for processes that start.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
