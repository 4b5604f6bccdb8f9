import { expect, test } from "vitest";
import { withNote } from "./notes.ts";

test("a note takes the place of the one before, and other preferences stay", () => {
  const once = withNote({ theme: "dark" }, "trk_1", { note: " asked the carrier " });
  expect(once).toEqual({ theme: "dark", tracking: { trk_1: { note: "asked the carrier" } } });
  const handled_at = "2026-11-24T12:00:00Z";
  expect(withNote(once, "trk_1", { handled_at }).tracking).toEqual({ trk_1: { handled_at } });
});

test("a note that is emptied is gone", () => {
  expect(withNote({ tracking: { trk_1: { note: "x" } } }, "trk_1", { note: " " })).toEqual({
    tracking: {},
  });
});

test("as many notes are kept as preferences have space for, the newest", () => {
  let preferences = {};
  for (let n = 0; n < 250; n++)
    preferences = withNote(preferences, `trk_01k6x3v2m4f8r9t0a1b2c3${String(n)}`, {
      note: "é".repeat(500),
      handled_at: "2026-11-24T12:00:00.000Z",
    });
  const { tracking } = preferences as { tracking: object };
  expect(Object.keys(tracking)).toHaveLength(200);
  expect(Object.keys(tracking).at(-1)).toMatch(/249$/);
});
