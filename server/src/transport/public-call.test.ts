import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tls from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { certificateFor } from "./certificates-world.ts";
import {
  callerWorld,
  connectionIsFree,
  httpReceiver,
  httpsReceiver,
  proxyTo,
  rawReceiver,
  type CallerWorld,
} from "./receivers-world.ts";

/** What comes of a call: each way in which a receiver can answer, or not. */

const local = (world: Parameters<typeof callerWorld>[0] = {}) =>
  callerWorld({ allow: "127.0.0.1", look_up: () => Promise.resolve(["127.0.0.1"]), ...world });
const at = (port: number) => `http://127.0.0.1:${port}/hook?a=1`;
const head = "HTTP/1.1 200 OK\r\n";

test("the call arrives as it was given, without a cookie, and its answer's start is shown", async () => {
  const heard: object[] = [];
  const receiver = await httpReceiver((request, response) => {
    const { method, url, headers } = request;
    void text(request).then((body) => {
      heard.push({ method, url, headers, body });
      response.writeHead(202, { "set-cookie": "a=b", "retry-after": "7200" }).end("Thanks 📦");
    });
  });
  const { post } = local();
  expect(await post(at(receiver.port))).toMatchObject({
    status: 202,
    error: null,
    excerpt: "Thanks 📦",
    retry_after_seconds: 7200,
  });
  await connectionIsFree();
  await post(at(receiver.port));
  expect(heard).toHaveLength(2);
  expect(heard[1]).toMatchObject({
    method: "POST",
    url: "/hook?a=1",
    body: '{"id":"evt_1"}',
    headers: {
      host: `127.0.0.1:${receiver.port}`,
      "content-type": "application/json",
      "content-length": "14",
      "accept-encoding": "identity",
    },
  });
  expect(heard[1]).not.toHaveProperty("headers.cookie");
  expect(receiver.connections()).toBe(1);
});

describe("of the answer", () => {
  test("no more than 1 KB is kept, and a socket that sends more than 16 KB is destroyed", async () => {
    const closed = Promise.withResolvers<number>();
    const receiver = await rawReceiver((socket) => {
      socket.on("close", () => closed.resolve(socket.bytesWritten));
      socket.write(`${head}content-length: 104857600\r\n\r\n`);
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, "x")));
      };
      socket.on("drain", more);
      more();
    });
    const { post } = local();
    expect(await post(at(receiver.port))).toMatchObject({ status: 200, excerpt: "x".repeat(1024) });
    expect(await closed.promise).toBeLessThan(16 * 1024 * 1024);
  });

  test("one of 1 MB is shown by its first 1 KB, whole characters only", async () => {
    const receiver = await httpReceiver((_request, response) => {
      response.end("é".repeat(524_288));
    });
    const { excerpt } = await local().post(at(receiver.port));
    expect(excerpt).toBe("é".repeat(512));
    const odd = await httpReceiver((_request, response) => response.end("aé".repeat(1_000)));
    const cut = (await local().post(at(odd.port))).excerpt ?? "";
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1024);
    expect(cut).toMatch(/^(aé)+a?\ufffd?$/);
  });

  test("bytes that are no text, or control a terminal, are not kept", async () => {
    const receiver = await httpReceiver((_request, response) => {
      response.end(Buffer.from([0x61, 0x00, 0x1b, 0x5b, 0xff, 0x0a, 0x62]));
    });
    expect((await local().post(at(receiver.port))).excerpt).toBe("a\ufffd\ufffd[\ufffd\nb");
    const noise = await httpReceiver((_request, response) => response.end(Buffer.alloc(4096, 255)));
    const { excerpt } = await local().post(at(noise.port));
    expect(Buffer.byteLength(excerpt ?? "")).toBeLessThanOrEqual(1024);
  });

  test("a compressed one is neither unpacked nor shown", async () => {
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a".repeat(10_000_000)));
    });
    expect(await local().post(at(receiver.port))).toMatchObject({ status: 200, excerpt: null });
  });

  test("the status counts as soon as the head is there: half a body, or one that drips", async () => {
    const half = await rawReceiver((socket) => socket.end(`${head}content-length: 99\r\n\r\nhalf`));
    expect(await local().post(at(half.port))).toMatchObject({ status: 200, excerpt: "half" });
    const drip = await rawReceiver((socket) => {
      socket.write(`${head}content-length: 99\r\n\r\n`);
      const timer = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(timer));
    });
    const { post } = local({ limits: { excerpt_ms: 100 } });
    const dripped = await post(at(drip.port));
    expect(dripped).toMatchObject({ status: 200, error: null });
    expect(dripped.excerpt).toMatch(/^x{1,50}$/);
  });
});

describe("no answer is shown as what it is", () => {
  const errorOf = async (port: number, world: CallerWorld = local()) => {
    const { status, error } = await world.post(at(port));
    expect(status).toBeNull();
    return error;
  };

  test("a head that never comes, or drips, is a timeout after the whole time", async () => {
    const hangs = await rawReceiver((socket) => socket.resume());
    const drips = await rawReceiver((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write("x-a: b\r\n"), 10);
      socket.on("close", () => clearInterval(timer));
    });
    for (const { port } of [hangs, drips]) {
      const answer = await local({ limits: { total_ms: 200 } }).post(at(port));
      expect(answer).toMatchObject({ status: null, error: "timeout" });
      expect(answer.ms).toBeGreaterThanOrEqual(195);
    }
  });

  test("a lookup or a TLS handshake that takes too long is one, after the time to connect", async () => {
    const silent = await rawReceiver((socket) => socket.resume());
    const limits = { connect_ms: 100, total_ms: 60_000 };
    const handshake = local({ limits });
    expect(await handshake.post(`https://127.0.0.1:${silent.port}/`)).toMatchObject({
      error: "timeout",
    });
    const name = local({ limits, look_up: () => new Promise(() => undefined) });
    expect(await name.post("https://hooks.example.com/")).toMatchObject({ error: "timeout" });
  });

  test("a port that nothing listens on is refused", async () => {
    expect(await errorOf(1)).toBe("refused");
  });

  test("a connection that is reset, or closed in the head, is a reset", async () => {
    const reset = await rawReceiver((socket) =>
      socket.once("data", () => socket.resetAndDestroy()),
    );
    expect(await errorOf(reset.port)).toBe("reset");
    const closed = await rawReceiver((socket) => socket.end());
    expect(await errorOf(closed.port)).toBe("reset");
    const inHead = await rawReceiver((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nconte"));
    });
    expect(await errorOf(inHead.port)).toBe("reset");
  });

  test("what is no HTTP, or has a head of more than 16 KB, is an invalid answer", async () => {
    const ssh = await rawReceiver((socket) => {
      socket.once("data", () => socket.write("SSH-2.0-OpenSSH_9.6\r\n"));
    });
    expect(await errorOf(ssh.port)).toBe("invalid_answer");
    const long = await rawReceiver((socket) => {
      socket.once("data", () => socket.write(`${head}x: ${"y".repeat(20_000)}\r\n\r\n`));
    });
    expect(await errorOf(long.port)).toBe("invalid_answer");
  });
});

/** Trusted as an authority of the system would be, until the test ends. */
function trust(...certificates: string[]): void {
  const before = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...before, ...certificates]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

describe("over TLS", () => {
  const answering = (options: tls.TlsOptions) =>
    httpsReceiver(options, (_request, response) => response.end("safe"));
  const yesterday = new Date(Date.now() - 86_400_000);

  test("a trusted certificate for the name is good", async () => {
    const certificate = certificateFor(["hooks.example.com"]);
    trust(certificate.cert);
    const receiver = await answering(certificate);
    expect(await local().post(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({
      status: 200,
      excerpt: "safe",
    });
  });

  test.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", ["hooks.example.com"], undefined, false],
    ["CERT_HAS_EXPIRED", ["hooks.example.com"], yesterday, true],
    ["ERR_TLS_CERT_ALTNAME_INVALID", ["other.example.com"], undefined, true],
  ])("%s is a tls error, whatever the environment says", async (detail, names, until, trusted) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const certificate = certificateFor(names, until);
    if (trusted) trust(certificate.cert);
    const receiver = await answering(certificate);
    const { post } = local();
    expect(await post(`https://hooks.example.com:${receiver.port}/`)).toMatchObject({
      status: null,
      error: "tls",
      detail,
    });
  });

  test("TLS 1.1, and no TLS at all, are tls errors", async () => {
    const certificate = certificateFor(["hooks.example.com"]);
    trust(certificate.cert);
    const old = await answering({
      ...certificate,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    });
    const plain = await httpReceiver((_request, response) => response.end());
    for (const { port } of [old, plain]) {
      expect(await local().post(`https://hooks.example.com:${port}/`)).toMatchObject({
        status: null,
        error: "tls",
      });
    }
  });

  describe("an egress proxy", () => {
    const proxied = (port: number, look_up = () => Promise.resolve(["93.184.215.14"])) =>
      callerWorld({ egress_proxy: `http://us%65r:pass@127.0.0.1:${port}`, look_up });

    test("is asked for the address that was checked, and TLS is with the receiver", async () => {
      const certificate = certificateFor(["hooks.example.com"]);
      trust(certificate.cert);
      const proxy = await proxyTo((await answering(certificate)).port);
      expect(await proxied(proxy.port).post("https://hooks.example.com/")).toMatchObject({
        status: 200,
        excerpt: "safe",
      });
      expect(proxy.asked).toEqual([
        {
          authority: "93.184.215.14:443",
          authorization: `Basic ${Buffer.from("user:pass").toString("base64")}`,
        },
      ]);
    });

    test("is not asked for what is not public, nor for what the operator allows", async () => {
      const proxy = await proxyTo(1);
      const inside = proxied(proxy.port, () => Promise.resolve(["93.184.215.14", "10.0.0.1"]));
      expect((await inside.post("https://hooks.example.com/")).error).toBe("forbidden_address");
      const receiver = await httpReceiver((_request, response) => response.end());
      const egress_proxy = `http://127.0.0.1:${proxy.port}`;
      expect(await local({ egress_proxy }).post(at(receiver.port))).toMatchObject({ status: 200 });
      expect(proxy.connections()).toBe(0);
    });

    test("that refuses, or is not there, leaves the call refused", async () => {
      const proxy = await proxyTo(1, 403);
      expect((await proxied(proxy.port).post("https://hooks.example.com/")).error).toBe("refused");
      expect((await proxied(1).post("https://hooks.example.com/")).error).toBe("refused");
    });
  });
});
