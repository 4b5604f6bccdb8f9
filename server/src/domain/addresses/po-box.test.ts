import { expect, test } from "vitest";
import { isPoBox } from "./po-box.ts";

test.each([
  "PO Box 12",
  "P.O. BOX 12",
  "p o box 12",
  "POB 12",
  "Post Office Box 12",
  "Box 12",
  "C.P. 12",
  "CP 12",
  "Case postale 12",
  "Casier postal 12",
  "Boîte postale 12",
  "B.P. 12",
  "12 Main St, PO Box 3",
])("%j is a post office box", (address1) => {
  expect(isPoBox({ address1, address2: null })).toBe(true);
  expect(isPoBox({ address1: "12 Main St", address2: address1 })).toBe(true);
});

test.each([
  "12 Box Hill Road",
  "RR 2 Box 152",
  "PSC 3 Box 4120",
  "5 Post Road",
  "1 Po Boxwood Lane",
  "123 CPR Road",
  "Unit BP12",
  "10 Depot Street",
])("%j is a street", (address1) => {
  expect(isPoBox({ address1, address2: null })).toBe(false);
});
