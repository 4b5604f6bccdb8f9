import { expect, test } from "vitest";
import { hostInUrl, isLoopback } from "./listen-host.ts";

test("only an address that no other machine reaches is a loopback address", () => {
  for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1"])
    expect(isLoopback(host), host).toBe(true);
  for (const host of [
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "waybill.example",
    "127.0.0.1.example",
    "",
    "::ffff",
  ])
    expect(isLoopback(host), host).toBe(false);
});

test("an address never names an unreachable host", () => {
  expect(["0.0.0.0", "::", "::1", "10.0.0.1", "localhost"].map(hostInUrl)).toEqual([
    ...["127.0.0.1", "127.0.0.1", "[::1]", "10.0.0.1", "localhost"],
  ]);
});
