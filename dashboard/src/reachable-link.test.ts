import { expect, test } from "vitest";
import { reachableLink } from "./reachable-link.ts";

const lan = "http://waybill.lan:8080";

test("a link that names the server's machine is at the address of a page from another machine", () => {
  for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
    expect(reachableLink(`http://${host}/app/invitations/wb_1?a=b#c`, lan)).toBe(
      `${lan}/app/invitations/wb_1?a=b#c`,
    );
});

test.each([
  ["the public address", "https://ship.example.com/t/1Z", lan],
  [
    "the server's machine, on a page from there",
    "http://127.0.0.1:8080/t/1Z",
    "http://localhost:8080",
  ],
])("a link that names %s stays as it is", (_, link, page) => {
  expect(reachableLink(link, page)).toBe(link);
});
