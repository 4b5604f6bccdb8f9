import { expect, test } from "vitest";
import { backoffSeconds } from "./backoff.ts";

test("pauses double up to a limit, after however many failures", () => {
  const pauses = [1, 2, 3, 4, 5, 5000].map((failures) =>
    backoffSeconds(failures, { first: 2, max: 20 }),
  );
  expect(pauses).toEqual([2, 4, 8, 16, 20, 20]);
});
