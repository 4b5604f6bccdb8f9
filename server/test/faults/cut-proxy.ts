import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { throughPort } from "../setup/database.ts";

/**
 * A network between Waybill and its PostgreSQL that breaks where a test says: at once, for a while, or
 * at one statement, so that a COMMIT is carried out and its client gets no response. It parses the
 * protocol just far enough to recognise statements; the connection must not use TLS.
 */
export interface CutProxy {
  /** The database's address through the proxy. */
  url: string;
  /** Resets every open connection. New ones are let through. */
  cut(): void;
  /** Resets every open connection and every new one, until `mend`. */
  sever(): void;
  /** Lets nothing pass in either direction, with connections open, until `mend`. */
  stall(): void;
  mend(): void;
  /** Resets the connection of the next such statement; resolves once that is done. */
  cutAt(place: CutPlace): Promise<void>;
  close(): Promise<void>;
}

export interface CutPlace {
  statement: RegExp;
  /** Only in a transaction in which a statement like this ran before. */
  after_statement?: RegExp;
  /** Whether PostgreSQL carries the statement out: it never gets it, or only its response is lost. */
  lost: "statement" | "answer";
}

/** Where the next transaction that ran `after_statement` is to be cut: at its COMMIT. */
export function commitOf(after_statement: RegExp, lost: CutPlace["lost"]): CutPlace {
  return { statement: /^commit/i, after_statement, lost };
}

interface Strike extends CutPlace {
  done(): void;
}

export async function aCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  const strikes = new Set<Strike>();
  let mode: "open" | "severed" | "stalled" = "open";

  const server = createServer({ noDelay: true }, (client) => {
    if (mode === "severed") return void client.resetAndDestroy();
    const to = { host: target.hostname, port: Number(target.port || 5432), noDelay: true };
    const database = connect(to);
    const link = relay({ client, database, strikes });
    links.add(link);
    if (mode === "stalled") link.pause();
    client.once("close", () => links.delete(link));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  const cut = () => links.forEach((link) => link.reset());
  return {
    url: throughPort(databaseUrl, (server.address() as AddressInfo).port),
    cut,
    sever() {
      mode = "severed";
      cut();
    },
    stall() {
      mode = "stalled";
      links.forEach((link) => link.pause());
    },
    mend() {
      mode = "open";
      links.forEach((link) => link.resume());
    },
    cutAt(place) {
      return new Promise((resolve) => {
        const strike = { ...place, done: () => (strikes.delete(strike), resolve()) };
        strikes.add(strike);
      });
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}

/** One client's connection through the proxy. */
interface Link {
  reset(): void;
  pause(): void;
  resume(): void;
}

interface Ends {
  client: Socket;
  database: Socket;
  strikes: ReadonlySet<Strike>;
}

function relay({ client, database, strikes }: Ends): Link {
  const reset = () => {
    for (const end of [client, database]) if (!end.destroyed) end.resetAndDestroy();
  };
  for (const end of [client, database]) end.on("error", reset).once("close", reset);

  const asked = messages(true);
  const answered = messages(false);
  const heard = statements();
  let struck: Strike | null = null;

  client.on("data", (chunk: Buffer) => {
    for (const message of asked(chunk)) {
      const statement = heard.read(message);
      if (statement !== null && !struck) struck = findStrike(strikes, statement, heard.earlier);
      if (struck?.lost === "statement") {
        reset();
        return struck.done();
      }
      if (statement !== null) heard.remember(statement);
      database.write(message.bytes);
    }
  });
  database.on("data", (chunk: Buffer) => {
    if (!struck) return client.write(chunk);
    // From the struck statement on, PostgreSQL's output is withheld until it has done all that was sent
    // together with it.
    if ([...answered(chunk)].some(({ type }) => type === readyForQuery)) {
      reset();
      struck.done();
    }
  });
  return {
    reset,
    pause: () => [client, database].forEach((end) => end.pause()),
    resume: () => [client, database].forEach((end) => end.resume()),
  };
}

function findStrike(
  strikes: ReadonlySet<Strike>,
  statement: string,
  earlier: readonly string[],
): Strike | null {
  for (const strike of strikes) {
    const { after_statement } = strike;
    if (!strike.statement.test(statement)) continue;
    if (!after_statement || earlier.some((each) => after_statement.test(each))) return strike;
  }
  return null;
}

interface Message {
  type: string;
  body: Buffer;
  /** The whole of it, as sent. */
  bytes: Buffer;
}

const readyForQuery = "Z";

/** Cuts a stream into messages: a letter, then a length that counts itself. The client's first has no letter. */
function messages(isFirstBare: boolean): (chunk: Buffer) => Generator<Message> {
  let rest: Buffer = Buffer.alloc(0);
  let isBare = isFirstBare;
  return function* (chunk) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const letters = isBare ? 0 : 1;
      if (rest.length < letters + 4) return;
      const length = letters + rest.readInt32BE(letters);
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = isBare ? "" : String.fromCharCode(bytes[0]!);
      isBare = false;
      yield { type, body: bytes.subarray(letters + 4), bytes };
    }
  };
}

/** The statements of one connection: a prepared one is sent with its text once, and by its name after. */
function statements() {
  const prepared = new Map<string, string>();
  const earlier: string[] = [];
  return {
    /** What ran in the open transaction. */
    earlier,
    /** The text of the statement that this message executes, null when it executes none. */
    read({ type, body }: Message): string | null {
      if (type === "Q") return strings(body)[0];
      if (type === "P") {
        const [name, text] = strings(body);
        prepared.set(name, text);
        return null;
      }
      if (type === "B") return prepared.get(strings(body)[1]) ?? null;
      return null;
    },
    remember(statement: string): void {
      if (/^(begin|start transaction|commit|rollback)/i.test(statement)) earlier.length = 0;
      earlier.push(statement);
    },
  };
}

/** The first two texts of a message, each terminated by a zero byte. */
function strings(body: Buffer): [string, string] {
  const first = body.indexOf(0);
  const second = body.indexOf(0, first + 1);
  return [
    body.toString("utf8", 0, first),
    body.toString("utf8", first + 1, second < 0 ? first + 1 : second),
  ];
}
