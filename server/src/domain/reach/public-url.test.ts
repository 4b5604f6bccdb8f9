import { describe, expect, test } from "vitest";
import { checkPublicUrl } from "./public-url.ts";
import { readNetworks, type Reach } from "./reach.ts";

const reach = (allow = "", deny = ""): Reach => ({
  allow: readNetworks(allow),
  deny: readNetworks(deny),
  ports: [443, 8443],
});
const isNone = (address: string) => `must name a public address; ${address} is none.`;

test.each([
  "https://example.com/webhooks",
  "https://example.com:8443",
  "https://EXAMPLE.com:443/a?b=c#d",
  "https://hooks.münchen.example/",
  "https://sub_domain.example.com/",
  "https://93.184.215.14/hook",
  "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook",
])("%s may be called", (url) => {
  expect(checkPublicUrl(url, reach())).toBeNull();
});

describe("every way to write an address that is not public is refused, by the address that it means", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["127.0.0.1.", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0x7f000001", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["0177.0.0.01", "127.0.0.1"],
    ["0x7f.0.0x0.01", "127.0.0.1"],
    ["%31%32%37.0.0.1", "127.0.0.1"],
    ["１２７.０.０.１", "127.0.0.1"],
    ["127。0。0。1", "127.0.0.1"],
    ["①②⑦.⓪.⓪.①", "127.0.0.1"],
    ["127．0｡0．1", "127.0.0.1"],
    ["𝟏𝟐𝟕.0.0.1", "127.0.0.1"],
    ["127.255.255.254", "127.255.255.254"],
    ["0", "0.0.0.0"],
    ["0.0.0.0", "0.0.0.0"],
    ["0.1.2.3", "0.1.2.3"],
    ["10.0.0.1", "10.0.0.1"],
    ["10.1", "10.0.0.1"],
    ["172.16.0.1", "172.16.0.1"],
    ["172.31.255.255", "172.31.255.255"],
    ["192.168.1.1", "192.168.1.1"],
    ["169.254.169.254", "169.254.169.254"],
    ["0xa9fea9fe", "169.254.169.254"],
    ["2852039166", "169.254.169.254"],
    ["100.64.0.1", "100.64.0.1"],
    ["100.100.100.200", "100.100.100.200"],
    ["168.63.129.16", "168.63.129.16"],
    ["192.0.0.192", "192.0.0.192"],
    ["192.0.2.1", "192.0.2.1"],
    ["192.31.196.1", "192.31.196.1"],
    ["192.52.193.1", "192.52.193.1"],
    ["192.88.99.1", "192.88.99.1"],
    ["192.175.48.1", "192.175.48.1"],
    ["198.18.0.1", "198.18.0.1"],
    ["198.51.100.1", "198.51.100.1"],
    ["203.0.113.1", "203.0.113.1"],
    ["224.0.0.1", "224.0.0.1"],
    ["240.0.0.1", "240.0.0.1"],
    ["255.255.255.255", "255.255.255.255"],
    ["[::1]", "::1"],
    ["[0:0:0:0:0:0:0:1]", "::1"],
    ["[::]", "::"],
    ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
    ["[::ffff:7f00:1]", "::ffff:7f00:1"],
    ["[::ffff:168.63.129.16]", "::ffff:a83f:8110"],
    ["[::127.0.0.1]", "::7f00:1"],
    ["[::ffff:0:127.0.0.1]", "::ffff:0:7f00:1"],
    ["[64:ff9b::127.0.0.1]", "64:ff9b::7f00:1"],
    ["[64:ff9b:1::10.0.0.1]", "64:ff9b:1::a00:1"],
    ["[2002:7f00:1::]", "2002:7f00:1::"],
    ["[2001:0:7f00:1::]", "2001:0:7f00:1::"],
    ["[100::1]", "100::1"],
    ["[2001:2::1]", "2001:2::1"],
    ["[2001:10::1]", "2001:10::1"],
    ["[2001:20::1]", "2001:20::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[3fff::1]", "3fff::1"],
    ["[4000::1]", "4000::1"],
    ["[5f00::1]", "5f00::1"],
    ["[fc00::1]", "fc00::1"],
    ["[fd00:ec2::254]", "fd00:ec2::254"],
    ["[fe80::1]", "fe80::1"],
    ["[fec0::1]", "fec0::1"],
    ["[ff02::1]", "ff02::1"],
  ])("%s", (host, address) => {
    expect(checkPublicUrl(`https://${host}/hook`, reach())).toBe(isNone(address));
  });
});

test.each([
  ["", "must be a URL such as https://example.com/webhooks."],
  ["example.com/hook", "must be a URL such as https://example.com/webhooks."],
  ["https://", "must be a URL such as https://example.com/webhooks."],
  ["https://256.256.256.256", "must be a URL such as https://example.com/webhooks."],
  ["https://1.2.3.4.5/", "must be a URL such as https://example.com/webhooks."],
  ["https://[fe80::1%25eth0]/", "must be a URL such as https://example.com/webhooks."],
  ["https://[::1/", "must be a URL such as https://example.com/webhooks."],
  ["https://example.com:99999/", "must be a URL such as https://example.com/webhooks."],
  ["https://exa mple.com", "must not contain spaces, control characters or \\."],
  ["https://exa\nmple.com", "must not contain spaces, control characters or \\."],
  [" https://example.com", "must not contain spaces, control characters or \\."],
  ["https:\\\\127.0.0.1\\hook", "must not contain spaces, control characters or \\."],
  ["https://example.com\u0000.evil.example", "must not contain spaces, control characters or \\."],
  ["http://example.com/hook", "must be an https URL."],
  ["http://93.184.215.14/hook", "must be an https URL."],
  ["ftp://example.com/hook", "must be an https URL."],
  ["file:///etc/passwd", "must be an https URL."],
  ["javascript:alert(1)", "must be an https URL."],
  ["gopher://127.0.0.1:6379/_x", "must be an https URL."],
  ["https://user:secret@example.com/", "must not contain a user or a password."],
  ["https://example.com@127.0.0.1/", "must not contain a user or a password."],
  ["https://:secret@example.com/", "must not contain a user or a password."],
  ["https://example.com:80/", "must use port 443 or 8443."],
  ["https://example.com:22/", "must use port 443 or 8443."],
  ["https://93.184.215.14:6379/", "must use port 443 or 8443."],
  ["https://localhost/", "must have a public host name."],
  ["https://LOCALHOST/", "must have a public host name."],
  ["https://ⓛocalhost/", "must have a public host name."],
  ["https://db.localhost/", "must have a public host name."],
  ["https://printer.local/", "must have a public host name."],
  ["https://metadata.google.internal/", "must have a public host name."],
  ["https://internal/", "must have a public host name."],
  ["https://router.home.arpa/", "must have a public host name."],
  ["https://postgres/", "must have a public host name."],
  ["https://localhost./", "must not have a dot at the end of its host name."],
  ["https://metadata.google.internal./", "must not have a dot at the end of its host name."],
  ["https://example.com./", "must not have a dot at the end of its host name."],
  ["https://exa$mple.com/", "must have a host name of letters, digits, hyphens and dots."],
  ["https://-x.example.com/", "must have a host name of letters, digits, hyphens and dots."],
  ["https://a..example.com/", "must have a host name of letters, digits, hyphens and dots."],
  [`https://example.com/${"a".repeat(2048)}`, "must have at most 2048 characters."],
])("%j %s", (url, problem) => {
  expect(checkPublicUrl(url, reach())).toBe(problem);
});

test("an address that the operator allows may be http, on any port", () => {
  const allowed = reach("10.0.0.0/8, ::1", "10.9.0.0/16");
  expect(checkPublicUrl("http://10.1.2.3:3000/hook", allowed)).toBeNull();
  expect(checkPublicUrl("http://[::1]:3000/hook", allowed)).toBeNull();
  expect(checkPublicUrl("http://[::ffff:10.1.2.3]:3000/hook", allowed)).toBeNull();
  expect(checkPublicUrl("http://11.1.2.3:3000/hook", allowed)).toBe("must be an https URL.");
  expect(checkPublicUrl("http://10.9.0.1:3000/hook", allowed)).toBe(isNone("10.9.0.1"));
  expect(checkPublicUrl("http://127.0.0.1:3000/hook", allowed)).toBe(isNone("127.0.0.1"));
});

test("what the operator denies is not called, public as it is", () => {
  expect(checkPublicUrl("https://93.184.215.14/", reach("", "93.184.0.0/16"))).toBe(
    isNone("93.184.215.14"),
  );
});

test.each([
  ["10.0.0.0/33", "has 10.0.0.0/33, whose prefix is longer than its address"],
  ["10/8", "has 10/8, which is no CIDR such as 10.0.0.0/8"],
  ["10.0.0.1, example.com", "has example.com, which is no CIDR such as 10.0.0.0/8"],
  ["0x7f.1/8", "has 0x7f.1/8, which is no CIDR such as 10.0.0.0/8"],
  ["::1/129", "has ::1/129, whose prefix is longer than its address"],
])("a setting of %s is refused at the start", (setting, problem) => {
  expect(() => readNetworks(setting)).toThrow(problem);
});
