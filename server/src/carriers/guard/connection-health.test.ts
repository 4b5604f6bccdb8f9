import { expect, test } from "vitest";
import { CarrierError, type Carrier } from "../carrier.ts";
import { inContext } from "../carrier-traits-world.ts";
import { purolatorCarrier } from "../purolator/adapter.ts";
import { purolatorOverSoap } from "../purolator/purolator.ts";
import { aConnection } from "../purolator/purolator-world.ts";
import { withConnectionHealth } from "./connection-health.ts";

/** Every call on a connection tells whether the carrier accepts its credentials. */

const context = {
  account_id: "acc_1",
  environment: "test",
  connection: aConnection(),
} as const;
const noAbort = new AbortController().signal;

/** Purolator, which has everything, each of whose calls ends in this way, with what its connection's health heard. */
function aCarrier(end: () => Promise<unknown>) {
  const heard: string[] = [];
  const answering = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name === "descriptor") return value;
        if (typeof value === "function") return end;
        return typeof value === "object" && value !== null ? answering(value) : value;
      },
    });
  const carrier = withConnectionHealth(answering(purolatorCarrier(purolatorOverSoap)), {
    accepted: () => void heard.push("accepted"),
    refused: async () => void heard.push("refused"),
  });
  return { carrier: inContext(carrier, context), heard };
}

type Call = (carrier: Carrier) => Promise<unknown>;
const request = { context } as never;
const calls: Readonly<Record<string, Call>> = {
  quote: (carrier) => carrier.quote(request, noAbort),
  purchase: (carrier) => carrier.buyLabel(request, noAbort),
  "look-up": (carrier) => carrier.lookUpLabel(request, noAbort),
  file: (carrier) => carrier.fetchFiles(request, "pdf", noAbort),
  refund: (carrier) => carrier.refundState(request, noAbort),
  void: (carrier) => carrier.voidLabel(request, noAbort),
  tracking: (carrier) => carrier.track(request, noAbort),
  pickup: (carrier) => carrier.pickups!.schedule(request, noAbort),
  "pickup's look-up": (carrier) => carrier.pickups!.lookUp(request, noAbort),
  "pickup's end": (carrier) => carrier.pickups!.cancel(request, noAbort),
  manifest: (carrier) => carrier.manifests!.create(request, noAbort),
  "manifest's look-up": (carrier) => carrier.manifests!.lookUp(request, noAbort),
  "manifest's file": (carrier) => carrier.manifests!.files(request, noAbort),
  "check of an address": (carrier) => carrier.addresses!.check(request, noAbort),
  "list of places": (carrier) => carrier.locations!.near(request, noAbort),
};

const failing = (exclusion: "carrier_credentials_invalid" | "carrier_error") => () =>
  Promise.reject(
    new CarrierError({
      kind: "refused",
      carrier: "purolator",
      carrier_code: "credentials_invalid",
      message: "No.",
      exclusion,
    }),
  );

test.each(Object.entries(calls))(
  "a %s whose credentials are refused is counted",
  async (_, call) => {
    const { carrier, heard } = aCarrier(failing("carrier_credentials_invalid"));
    await expect(call(carrier)).rejects.toBeInstanceOf(CarrierError);
    expect(heard).toEqual(["refused"]);
  },
);

test.each(Object.entries(calls))(
  "a %s that is answered, or refused for another reason, shows that they are accepted",
  async (_, call) => {
    const answered = aCarrier(() => Promise.resolve(null));
    await call(answered.carrier);
    expect(answered.heard).toEqual(["accepted"]);
    const refused = aCarrier(failing("carrier_error"));
    await expect(call(refused.carrier)).rejects.toBeInstanceOf(CarrierError);
    expect(refused.heard).toEqual(["accepted"]);
  },
);
