import { describe, expect, test } from "vitest";
import { systemClock } from "../../domain/time/clock.ts";
import type { ManifestRequest } from "../capabilities.ts";
import { CarrierError, type Carrier, type LabelRequest } from "../carrier.ts";
import type { HeardEntry, JournalEntry } from "../journal-entry.ts";
import { ups, upsOverRest } from "../ups/ups.ts";
import { withJournal } from "./journaled.ts";

/** Which calls are noted, when, and what becomes of a call or an answer that cannot be noted. */

interface Journaling {
  /** Of each entry in turn. */
  writes?: (() => Promise<void>)[];
  buy?: () => Promise<unknown>;
}

function aWorld({ writes = [], buy = async () => label }: Journaling = {}) {
  const told: string[] = [];
  const lost: HeardEntry[] = [];
  const entries: JournalEntry[] = [];
  const plain = {
    descriptor: { ...ups, connected: upsOverRest },
    async buyLabel() {
      told.push("call");
      return buy();
    },
    manifests: {
      async create() {
        told.push("call");
        return manifest;
      },
    },
  } as unknown as Carrier;
  const carrier = withJournal(plain, {
    journal: {
      async write(entry) {
        told.push(entry.step === "heard" ? entry.outcome : "sent");
        entries.push(entry);
        await writes.shift()?.();
      },
    },
    clock: systemClock,
    write_wait_ms: 40,
    on_lost: (entry) => void lost.push(entry),
  });
  return { carrier, told, lost, entries };
}

const label = {
  carrier_label_id: "L1",
  tracking_code: "1Z",
  package_tracking_codes: ["1Z"],
  cost: null,
  files: [],
  carrier_data: { packages: ["1Z"] },
};
const manifest = { carrier_manifest_id: "M1", files: [], carrier_data: { manifests: ["/77"] } };
const connection = {
  id: "con_1",
  environment: "test",
  origin: "platform",
  version: 1,
  values: {},
  secrets: { client_secret: "planted" },
} as const;
const address = { country_code: "CA", postal_code: "B3J 1S3", name: "Morag", address1: "Lower" };
function request(on: typeof connection | null = connection) {
  return {
    context: { account_id: "acc_1", environment: "test", connection: on },
    reference: "att_1",
    references: { account_id: "acc_1", shipment_id: "shp_1", shipment_digest: "d" },
    shipment: { to_address: address, ship_date: "2026-11-27", packages: [{}, {}] },
    service: ups.services[0],
    add_ons: [],
    label_format: "pdf",
    expected_cost: { amount_cents: 900, currency: "CAD" },
  } as unknown as LabelRequest;
}
function handOver(on: typeof connection | null = connection) {
  const context = { account_id: "acc_1", environment: "test", connection: on };
  const shipment_ids = ["shp_1", "shp_2"];
  const about = { account_id: "acc_1", manifest_id: "man_1", part: 0, idempotency_key: null };
  return {
    context,
    reference: "att_2",
    references: { ...about, shipment_ids },
    labels: [
      { context, reference: "att_3", tracking_code: "1Z" },
      { context, reference: "att_4", tracking_code: "1Y" },
    ],
    from_address: address,
    ship_date: "2026-11-27",
  } as unknown as ManifestRequest;
}
const signal = new AbortController().signal;
const never = () => new Promise<void>(() => undefined);
const fails = () => Promise.reject(new Error("no space"));
const failure = (kind: CarrierError["kind"]) =>
  new CarrierError({ kind, carrier: "ups", carrier_code: "x", message: "No." });

test("a call is noted before it is made and after its answer, without secrets, names and streets", async () => {
  const { carrier, told, entries } = aWorld();
  await carrier.buyLabel(request(), signal);
  expect(told).toEqual(["sent", "call", "done"]);
  expect(entries).toMatchObject([
    { connection_id: "con_1", look_up: { pieces: 2, destination: { postal_code: "B3J 1S3" } } },
    { label: { carrier_label_id: "L1", carrier_data: { packages: ["1Z"] } } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/planted|Morag|Lower/);
});

test("without a connection the carrier lists what it sells, and nothing is noted", async () => {
  const { carrier, told } = aWorld();
  await carrier.buyLabel(request(null), signal);
  expect(told).toEqual(["call"]);
});

test.each([
  ["on a connection", connection],
  ["of a carrier that lists its labels", null],
])("a manifest %s is noted before it is made and after its answer", async (_whose, on) => {
  const { carrier, told, entries } = aWorld();
  expect(await carrier.manifests!.create(handOver(on), signal)).toBe(manifest);
  expect(told).toEqual(["sent", "call", "done"]);
  const { files: _paper, ...heard } = manifest;
  expect(entries).toMatchObject([
    {
      effect: "manifest",
      reference: "att_2",
      connection_id: on?.id ?? null,
      references: { manifest_id: "man_1", part: 0, shipment_ids: ["shp_1", "shp_2"] },
      label_references: ["att_3", "att_4"],
      look_up: { ship_date: "2026-11-27" },
    },
    { effect: "manifest", reference: "att_2", manifest: heard },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/planted|Morag|Lower/);
});

test("a manifest that cannot be noted is not made", async () => {
  const { carrier, told } = aWorld({ writes: [fails] });
  await expect(carrier.manifests!.create(handOver(), signal)).rejects.toMatchObject({
    kind: "unreachable",
    carrier_code: "not_recorded",
  });
  expect(told).toEqual(["sent", "nothing"]);
});

describe("a call that cannot be noted", () => {
  test.each([
    ["because the write fails", fails],
    ["in time", never],
  ])(
    "%s is not made, and is noted as without an effect once that works again",
    async (_why, write) => {
      const { carrier, told } = aWorld({ writes: [write] });
      await expect(carrier.buyLabel(request(), signal)).rejects.toMatchObject({
        kind: "unreachable",
        carrier_code: "not_recorded",
      });
      expect(told).toEqual(["sent", "nothing"]);
    },
  );
});

test.each([
  ["fails", fails],
  ["takes too long", never],
])("an answer stands whose note %s, which is told", async (_how, write) => {
  const { carrier, lost } = aWorld({ writes: [async () => undefined, write] });
  expect(await carrier.buyLabel(request(), signal)).toBe(label);
  expect(lost).toMatchObject([{ reference: "att_1", outcome: "done" }]);
});

test.each([
  ["refused", failure("refused"), "nothing"],
  ["unreachable", failure("unreachable"), "nothing"],
  ["unknown", failure("unknown"), "unknown"],
  ["not the carrier's", new Error("a bug"), "unknown"],
])(
  "a failure that is %s is noted by what it proves, and thrown on",
  async (_kind, error, outcome) => {
    const { carrier, told } = aWorld({ buy: () => Promise.reject(error) });
    await expect(carrier.buyLabel(request(), signal)).rejects.toBe(error);
    expect(told).toEqual(["sent", "call", outcome]);
  },
);
