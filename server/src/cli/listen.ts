import { createHash, randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config.ts";
import { typePatterns } from "../domain/events/catalogue.ts";
import { readNetworks } from "../domain/reach/reach.ts";
import { signatureHeader } from "../events/webhooks/sign.ts";
import { readDemo } from "../seed/demo-file.ts";
import { publicCaller, type PublicAnswer, type PublicCaller } from "../transport/public-call.ts";
import { makeDirectory } from "../wiring/make-directory.ts";
import { readStream, type StreamedEvent } from "./event-stream.ts";

/**
 * `waybill listen`: what a webhook would be sent, forwarded to an address that only this machine reaches. It
 * needs a token alone, no database, and works behind any firewall.
 */

export interface ListenOptions {
  forward: string;
  types: string;
  api?: string;
  token?: string;
  secret?: string;
  state?: string;
}

/** Runs until the process ends. Throws when the options are wrong or the platform refuses the token. */
export async function listenAndForward(config: Config, options: ListenOptions): Promise<never> {
  const { api, token } = sourceOf(config, options);
  const types = options.types.split(",").map((each) => each.trim());
  const unknown = types.filter((each) => !typePatterns.includes(each));
  if (unknown.length > 0) throw new Error(`--types has ${unknown.join(", ")}, which is no type.`);
  if (!/^https?:$/.test(URL.parse(options.forward)?.protocol ?? "")) {
    throw new Error("--forward is the URL to post to, such as http://localhost:3000/hook.");
  }
  const file = resolve(options.state ?? defaultState(config, api, token));
  const state = readState(file, options.secret);
  writeState(file, state);
  console.log(`Forwarding ${types.join(", ")} of ${api} to ${options.forward}`);
  console.log(`Signed with ${state.secret}; the place in the feed is kept in ${file}`);
  const caller = localCaller();
  return readStream(
    { api, token, types: types.join(","), cursor: state.cursor },
    {
      onEvent: async (event) => {
        await forward(event, { caller, url: options.forward, secret: state.secret });
        state.cursor = event.cursor;
        writeState(file, state);
      },
      onBegin: (cursor) => {
        state.cursor = cursor;
        writeState(file, state);
        console.log("Listening; what happens from now on is forwarded.");
      },
      onNotice: (text) => console.error(text),
    },
  );
}

/** The demo organization's sandbox, where nothing else is named and there is one. */
function sourceOf(config: Config, options: ListenOptions): { api: string; token: string } {
  const demo = readDemo(config);
  const api = options.api ?? demo?.sandbox_base_url;
  const token = options.token ?? (options.api === undefined ? demo?.sandbox_token : undefined);
  if (api === undefined || token === undefined) {
    throw new Error("--api and --token (or WAYBILL_TOKEN) say whose events to listen to.");
  }
  return { api: api.replace(/\/$/, ""), token };
}

interface State {
  secret: string;
  /** Null before the first connection. */
  cursor: string | null;
}

/** A cursor is of one account, so every token has a file of its own. */
function defaultState(config: Config, api: string, token: string): string {
  const name = createHash("sha256").update(`${api}\n${token}`).digest("hex").slice(0, 12);
  return join(config.data_dir, `listen-${name}.json`);
}

/** The secret stays the same, so that the receiver need not be told a new one each time. */
function readState(file: string, given: string | undefined): State {
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(given)) {
    throw new Error("--secret is whsec_ and a key as Base64.");
  }
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as State) : null;
  const made = `whsec_${randomBytes(32).toString("base64")}`;
  return { cursor: kept?.cursor ?? null, secret: given ?? kept?.secret ?? made };
}

/** Written completely and then renamed: a process that is killed meanwhile leaves the former state. */
function writeState(file: string, state: State): void {
  makeDirectory(dirname(file));
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The address is the user's own, so every one is allowed, and names are those of this machine. */
function localCaller(): PublicCaller {
  return publicCaller({
    reach: { allow: readNetworks("0.0.0.0/0, ::/0"), deny: [], ports: [] },
    egress_proxy: "",
    onForbidden: () => undefined,
    look_up: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  });
}

const slowestRetryMs = 10_000;

/**
 * Posts an event until it is answered, whatever the status: without an answer the receiver is probably being
 * started again, and the events behind wait for it.
 */
async function forward(
  event: StreamedEvent,
  { caller, url, secret }: { caller: PublicCaller; url: string; secret: string },
): Promise<void> {
  const { id } = JSON.parse(event.body) as { id: string };
  for (let attempt = 1; ; attempt += 1) {
    const timestamp_seconds = Math.floor(Date.now() / 1_000);
    const answer = await caller.post({
      url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Waybill-Webhooks/1",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp_seconds),
        "webhook-signature": signatureHeader([secret], { id, timestamp_seconds, body: event.body }),
        "waybill-attempt": String(attempt),
      },
      body: event.body,
    });
    console.log(`${new Date().toISOString()}  ${event.type}  ${id}  ${outcomeOf(answer)}`);
    if (answer.status !== null) return;
    await delay(Math.min(slowestRetryMs, 500 * 2 ** Math.min(attempt, 10)));
  }
}

function outcomeOf({ status, error, detail, ms }: PublicAnswer): string {
  const said = status ?? (detail === null ? error : `${error} (${detail})`);
  return `${said}  ${ms} ms`;
}
