import { request } from "undici";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { NameNotResolved } from "./look-up.ts";
import { publicConnections } from "./public-connections.ts";
import {
  callerWorld,
  connectionIsFree,
  httpReceiver,
  proxyTo,
  rawReceiver,
} from "./receivers-world.ts";

/** Where a call may lead. Each test names a port that something listens on, so a mistake would connect. */

const forbidden = { status: null, error: "forbidden_address", excerpt: null };

describe("no connection is made to this machine, however its address is written", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0x7f.0.0x0.01",
    "１２７.０.０.１",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "localhost",
    "localhost.",
    "db.localhost",
  ])("%s", async (host) => {
    const receiver = await rawReceiver(() => undefined);
    const six = await rawReceiver(() => undefined, { host: "::1", port: receiver.port });
    const { caller, post, forbidden: count } = callerWorld({ ports: [receiver.port] });
    const url = `https://${host}:${receiver.port}/hook`;
    expect(await caller.check(url)).toMatch(/^must /);
    expect(await post(url)).toMatchObject(forbidden);
    expect([count(), receiver.connections(), six.connections()]).toEqual([1, 0, 0]);
  });
});

test("a literal is checked by the connection itself, which undici never asks for", async () => {
  const receiver = await rawReceiver(() => undefined);
  const agent = publicConnections({
    reach: { allow: [], deny: [], ports: [receiver.port] },
    look_up: () => Promise.reject(new Error("a literal is not looked up")),
    egress_proxy: "",
    connect_ms: 1_000,
  });
  for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]"]) {
    await expect(
      request(`https://${host}:${receiver.port}/`, { dispatcher: agent }),
    ).rejects.toThrow("must name a public address");
  }
  expect(receiver.connections()).toBe(0);
  await agent.destroy();
});

test.each([
  [["127.0.0.1"]],
  [["93.184.215.14", "127.0.0.1"]],
  [["127.0.0.1", "93.184.215.14"]],
  [["93.184.215.14", "93.184.215.15", "::1"]],
  [["::ffff:127.0.0.1"]],
  [["::127.0.0.1"]],
  [["169.254.169.254"]],
  [["0.0.0.0"]],
  [["fe80::1%lo"]],
  [["no address"]],
])("a name with the addresses %j is refused when saved and when called", async (addresses) => {
  const receiver = await rawReceiver(() => undefined);
  const { caller, post } = callerWorld({
    ports: [receiver.port],
    look_up: () => Promise.resolve(addresses),
  });
  const url = `https://hooks.example.com:${receiver.port}/`;
  expect(await caller.check(url)).toBe("must have a host name with public addresses only.");
  expect(await post(url)).toMatchObject(forbidden);
  expect(receiver.connections()).toBe(0);
});

test("a name without an address, or a slow one, is saved; a call of it says dns", async () => {
  const none = callerWorld();
  expect(await none.caller.check("https://hooks.example.com/")).toBeNull();
  const slow = callerWorld({
    look_up: () => new Promise(() => undefined),
    limits: { check_ms: 20 },
  });
  expect(await slow.caller.check("https://hooks.example.com/")).toBeNull();
  const { post, forbidden: count } = callerWorld({
    look_up: (name) => Promise.reject(new NameNotResolved(name)),
  });
  expect(await post("https://hooks.example.com/")).toMatchObject({ status: null, error: "dns" });
  expect(count()).toBe(0);
});

describe("with addresses that the operator allows", () => {
  test("a name that leads to allowed ones alone may be http, local and on any port", async () => {
    const receiver = await httpReceiver((_request, response) => response.end());
    const { caller, post } = callerWorld({
      allow: "127.0.0.0/8",
      look_up: () => Promise.resolve(["127.0.0.1"]),
    });
    const url = `http://hooks.internal:${receiver.port}/`;
    expect(await caller.check(url)).toBeNull();
    expect(await post(url)).toMatchObject({ status: 200 });
  });

  test("one that leads elsewhere, or nowhere, may not", async () => {
    for (const addresses of [["93.184.215.14"], ["127.0.0.1", "93.184.215.14"], []]) {
      const { caller } = callerWorld({
        allow: "127.0.0.0/8",
        look_up: () => Promise.resolve(addresses),
      });
      expect(await caller.check("http://hooks.example.com/")).toBe("must be an https URL.");
      expect(await caller.check("https://db.internal/")).toBe("must have a public host name.");
      expect(await caller.check("https://hooks.example.com:25/")).toBe(
        "must use port 443 or 8443.",
      );
    }
    const { post } = callerWorld({
      allow: "127.0.0.0/8",
      look_up: () => Promise.resolve(["93.184.215.14"]),
    });
    expect(await post("http://hooks.example.com:3000/")).toMatchObject(forbidden);
  });

  test("a name with an allowed and another private address is refused", async () => {
    const receiver = await httpReceiver((_request, response) => response.end());
    const { post } = callerWorld({
      allow: "127.0.0.1",
      look_up: () => Promise.resolve(["127.0.0.1", "127.0.0.2"]),
    });
    expect(await post(`http://hooks.example.com:${receiver.port}/`)).toMatchObject(forbidden);
    expect(receiver.connections()).toBe(0);
  });

  test("a name that moves after it was checked leads to what was checked, or nowhere", async () => {
    const good = await httpReceiver((_request, response) => response.end("good"));
    const bad = await httpReceiver((_request, response) => response.end("bad"), {
      host: "127.0.0.2",
      port: good.port,
    });
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const { caller, post, looked_up } = callerWorld({
      allow: "127.0.0.1",
      look_up: () => Promise.resolve(answers.shift() ?? ["127.0.0.2"]),
    });
    const url = `http://hooks.example.com:${good.port}/`;
    expect(await post(url)).toMatchObject({ status: 200, excerpt: "good" });
    await connectionIsFree();
    // The connection is kept, and with it the address that was checked.
    expect(await post(url)).toMatchObject({ status: 200, excerpt: "good" });
    expect(looked_up).toHaveLength(1);
    await caller.close();
    const next = callerWorld({ allow: "127.0.0.1", look_up: () => Promise.resolve(["127.0.0.2"]) });
    expect(await next.post(url)).toMatchObject(forbidden);
    expect([good.connections(), bad.connections()]).toEqual([1, 0]);
  });

  test("a socket that ended up at another address than the checked one is not written to", async () => {
    let heard = "";
    const receiver = await rawReceiver((socket) =>
      socket.on("data", (data) => (heard += data.toString())),
    );
    // The kernel connects to 127.0.0.1 for it.
    const { post } = callerWorld({ allow: "0.0.0.0" });
    expect(await post(`http://0.0.0.0:${receiver.port}/`)).toMatchObject(forbidden);
    expect(heard).toBe("");
  });
});

test("a redirect is a status, and is not followed", async () => {
  const inside = await httpReceiver((_request, response) => response.end("secret"));
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end();
    });
    const { post } = callerWorld({ allow: "127.0.0.1" });
    expect(await post(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status });
  }
  expect(inside.connections()).toBe(0);
});

test("proxies of the environment do not count", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const proxy = await proxyTo(1);
  const receiver = await httpReceiver((_request, response) => response.end());
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"]) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  const { post } = callerWorld({ allow: "127.0.0.1" });
  expect(await post(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 });
  expect(proxy.connections()).toBe(0);
});
