import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApi, type TestApi } from "../../test/api.ts";
import { happen } from "../../test/events.ts";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { connect } from "../database/connect.ts";
import { activityOf } from "../domain/scheduling/activity.ts";
import { newId } from "../domain/values/ids.ts";
import { feedLoops } from "./feed-loops.ts";

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await testDatabase();
  api = await testApi({ beside: database });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

test("a process of which nothing is asked polls as usual while it places events of other processes", async () => {
  const place = feedLoops(api.platform).find(({ name }) => name === "events.place")!;
  const { signal } = new AbortController();
  const activity = activityOf(api.platform.db);
  const later = performance.now() + 60_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  let isResting = true;
  const rest = activity.rest(600_000, signal).then(() => (isResting = false));
  await place.run(signal);
  expect(isResting).toBe(true);
  const other = connect({ url: database.url, connections_max: 1, application_name: "other" });
  await happen(other.db, newId("acc"), "token.created");
  await other.close();
  await place.run(signal);
  await rest;
  vi.restoreAllMocks();
});
