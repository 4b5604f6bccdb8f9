import { expect, test } from "vitest";
import { actorOf, begunBy, bySystem, nameOfActor, originOf, type Principal } from "./principal.ts";

const stored: [Principal, string, string][] = [
  [{ kind: "token", id: "tok_1" }, "token:tok_1", "tok_1"],
  [{ kind: "user", id: "usr_1" }, "user:usr_1", "usr_1"],
  [{ kind: "operator", name: "ada: night" }, "operator:ada: night", "ada: night"],
  [{ kind: "system", name: "tracking.poll" }, "system:tracking.poll", "tracking.poll"],
];

test.each(stored)(
  "%o is stored as %s, read back by workers, and shown as %s",
  (principal, text, name) => {
    expect(actorOf(principal)).toBe(text);
    const stored = { actor: text, request_id: "req" };
    expect(begunBy(stored, "batches.run")).toEqual({ principal, request_id: "req" });
    expect(originOf(begunBy(stored, "batches.run"))).toEqual(stored);
    expect(nameOfActor(text)).toBe(name);
  },
);

test("an actor that was stored before kinds existed is shown unchanged", () => {
  for (const old of ["tok_1", "shell", "Ada: night"]) expect(nameOfActor(old)).toBe(old);
});

test("work without a known originator is attributed to the loop", () => {
  const unknown = begunBy({ actor: null, request_id: null }, "batches.run");
  expect(originOf(unknown)).toEqual(bySystem("batches.run"));
  expect(bySystem("batches.run")).toEqual({ actor: "system:batches.run", request_id: null });
});
