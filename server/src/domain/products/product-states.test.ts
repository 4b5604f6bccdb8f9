import { expect, test } from "vitest";
import { productEvents, productMoves, productStatuses, statusAfter } from "./product-states.ts";

test("every event has an entry for every status", () => {
  for (const event of productEvents)
    expect(Object.keys(productMoves[event]).sort()).toEqual([...productStatuses].sort());
});

test("nothing but an approval approves, and only a manufacturer that failed forbids it", () => {
  for (const event of productEvents) {
    for (const status of productStatuses) {
      const next = statusAfter(status, event);
      if (next === "Approved" && status !== "Approved") expect(event).toBe("approved");
      expect(next === null).toBe(event === "approved" && status === "Manufacturer Failed");
    }
  }
});

test("a manufacturer that failed is only left by a verification or a rejection", () => {
  const leaving = productEvents.filter(
    (event) => ![null, "Manufacturer Failed"].includes(statusAfter("Manufacturer Failed", event)),
  );
  expect(leaving).toEqual(["verified", "needs_review", "rejected"]);
});

test("no change of customs data leaves an approval standing", () => {
  for (const event of ["customs_changed", "maker_changed"] as const)
    expect(statusAfter("Approved", event)).toBe("Pending Approval");
});

test("every status is reachable from Imported, and Approved from every one", () => {
  const reach = (from: (typeof productStatuses)[number]) => {
    const reached = new Set([from]);
    for (const status of reached) {
      for (const event of productEvents) {
        const next = statusAfter(status, event);
        if (next) reached.add(next);
      }
    }
    return reached;
  };
  expect(reach("Imported")).toEqual(new Set(productStatuses));
  for (const status of productStatuses) expect(reach(status)).toContain("Approved");
});
