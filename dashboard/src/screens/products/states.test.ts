import { expect, test } from "vitest";
import { productsToApprove } from "../../shell/queries.ts";
import { groups } from "./states.ts";

test("the queue lists the products that the menu and the overview count", () => {
  const keys = groups.approve.map((status) => status.toLowerCase().replaceAll(" ", "_"));
  expect(keys.sort()).toEqual([...productsToApprove.statuses].sort());
});
