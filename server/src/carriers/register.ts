import { adapterByConnection } from "./adapter-by-connection.ts";
import { canadaPostCarrier } from "./canada-post/adapter.ts";
import { canadaPost, canadaPostOverRest } from "./canada-post/canada-post.ts";
import { canadaPostHosts } from "./canada-post/client.ts";
import type { Carrier, CarrierService } from "./carrier.ts";
import { dayRoss } from "./day-ross/day-ross.ts";
import { fedex } from "./fedex/fedex.ts";
import { manitoulin } from "./manitoulin/manitoulin.ts";
import { purolatorCarrier } from "./purolator/adapter.ts";
import { purolator, purolatorOverSoap } from "./purolator/purolator.ts";
import { purolatorHosts } from "./purolator/soap.ts";
import type { MakeLabel } from "./protocol/label-files.ts";
import type { Hosts } from "./protocol/rest-client.ts";
import { simulatedCarrier } from "./simulated/simulated-carrier.ts";
import { simulatedFreightCarrier } from "./simulated/simulated-freight-carrier.ts";
import { tforceFreight } from "./tforce-freight/tforce-freight.ts";
import { upsCarrier } from "./ups/adapter.ts";
import { upsHosts } from "./ups/client.ts";
import { ups, upsOverRest } from "./ups/ups.ts";
import { uspsCarrier } from "./usps/adapter.ts";
import { uspsHosts } from "./usps/client.ts";
import { usps, uspsOverRest } from "./usps/usps.ts";

/** Every carrier that this process can call. How to add one: docs/adding-a-carrier.md. */
export interface CarrierRegister {
  readonly all: readonly Carrier[];
  /** By `carrier.code`. Throws for an unknown one: for stored codes. */
  get(code: string): Carrier;
  /** The same; undefined for an unknown one. */
  find(code: string): Carrier | undefined;
  /** By a service code, `<carrier>.<service>`, as clients send it (spec 2.5). */
  findService(code: string): { carrier: Carrier; service: CarrierService } | undefined;
}

/** An adapter, with its carrier's own hosts. */
interface Adapter {
  hosts: Hosts;
  /** The adapter at these hosts; label files are made by `make`, in this thread without it. */
  at(hosts: Hosts, make?: MakeLabel): Carrier;
}

/** The adapters, by carrier. */
const adapters: Readonly<Record<string, Adapter>> = {
  canada_post: {
    hosts: canadaPostHosts,
    at: (hosts) => canadaPostCarrier(canadaPostOverRest, hosts),
  },
  purolator: { hosts: purolatorHosts, at: (hosts) => purolatorCarrier(purolatorOverSoap, hosts) },
  ups: { hosts: upsHosts, at: (hosts, make) => upsCarrier(upsOverRest, hosts, make) },
  usps: { hosts: uspsHosts, at: (hosts, make) => uspsCarrier(uspsOverRest, hosts, make) },
};

/** The adapter of this carrier; undefined where only the simulator plays it. */
export function findAdapter(code: string): Adapter | undefined {
  return Object.hasOwn(adapters, code) ? adapters[code] : undefined;
}

/**
 * The catalogue, with the simulator behind each of its carriers. Those with an adapter are called themselves under a
 * connection; in the sandbox the simulator speaks their form.
 */
export function createCarriers({
  simulator_url,
  make_label,
}: {
  simulator_url: string;
  make_label?: MakeLabel;
}): CarrierRegister {
  const couriers = [canadaPost, purolator, ups, fedex, usps];
  const freight = [tforceFreight, dayRoss, manitoulin];
  return carrierRegister([
    ...couriers.map((descriptor) => {
      const { code } = descriptor;
      const simulated = simulatedCarrier(descriptor, simulator_url);
      const adapter = findAdapter(code);
      if (!adapter) return simulated;
      const hosts = { ...adapter.hosts, test: `${simulator_url}/dialects/${code}` };
      return adapterByConnection(simulated, adapter.at(hosts, make_label));
    }),
    ...freight.map((descriptor) => simulatedFreightCarrier(descriptor, simulator_url)),
  ]);
}

/**
 * A register of these carriers. Throws when two have one code, or when a service code does not start
 * with its carrier's: clients store `postage_type_id` and `service` permanently (spec 2.6).
 */
export function carrierRegister(carriers: readonly Carrier[]): CarrierRegister {
  const entries = carriers.flatMap((carrier) =>
    carrier.descriptor.services.map((service) => ({ carrier, service })),
  );
  const byCode = uniqueBy(carriers, ({ descriptor }) => descriptor.code);
  const byService = uniqueBy(entries, ({ service }) => service.code);
  uniqueBy(entries, ({ service }) => String(service.postage_type_id));
  for (const { carrier, service } of entries) {
    if (!service.code.startsWith(`${carrier.descriptor.code}.`)) {
      throw new Error(`${service.code} is not named for ${carrier.descriptor.code}`);
    }
  }
  return {
    all: carriers,
    get(code) {
      const carrier = byCode.get(code);
      if (!carrier) throw new Error(`there is no carrier ${code}`);
      return carrier;
    },
    find: (code) => byCode.get(code),
    findService: (code) => byService.get(code),
  };
}

function uniqueBy<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T> {
  const byKey = new Map<string, T>();
  for (const thing of things) {
    const key = keyOf(thing);
    if (byKey.has(key)) throw new Error(`two of the carriers' entries are called ${key}`);
    byKey.set(key, thing);
  }
  return byKey;
}
