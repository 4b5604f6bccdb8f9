import { open } from "node:fs/promises";
import { expect, test } from "vitest";
import { explainError } from "./explain-error.ts";

test("an error is told with its causes, each once", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:1");
  const pool = new Error("no connection could be had.", { cause: refused });
  expect(explainError(new Error("not started", { cause: pool }))).toBe(
    "not started: no connection could be had: connect ECONNREFUSED 127.0.0.1:1",
  );
  expect(explainError(new Error("failed: 42", { cause: new Error("42") }))).toBe("failed: 42");
});

test("each address of a name that was tried is told", () => {
  const errors = [new Error("connect ECONNREFUSED ::1:5"), new Error("ECONNREFUSED 127.0.0.1:5")];
  expect(explainError(new AggregateError(errors))).toBe(
    "connect ECONNREFUSED ::1:5, ECONNREFUSED 127.0.0.1:5",
  );
});

test("an error about a file is a sentence that begins with its path", async () => {
  const error: unknown = await open("/none/x.csv").catch((each: unknown) => each);
  expect(explainError(error)).toBe("/none/x.csv: there is no such file or folder");
});
