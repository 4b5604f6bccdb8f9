import type { CarrierManifests } from "../capabilities.ts";
import { CarrierError, type CallContext, type Carrier } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import type { CarrierPickups } from "../pickups.ts";

/** Hears of each answer to a call on a connection. */
export interface ConnectionHealth {
  accepted(called: CalledConnection): void;
  /** The carrier did not accept the credentials. */
  refused(called: CalledConnection): Promise<void>;
}

interface CalledConnection {
  account_id: string;
  carrier: string;
  connection: CarrierConnection;
}

type About = <T>(context: CallContext, call: () => Promise<T>) => Promise<T>;

/** The carrier, which reports whether it accepts the credentials of the connections that it is called on. */
export function withConnectionHealth(carrier: Carrier, health: ConnectionHealth): Carrier {
  const about = reporter(carrier.descriptor.code, health);
  return {
    ...carrier,
    quote: (request, signal) => about(request.context, () => carrier.quote(request, signal)),
    buyLabel: (request, signal) => about(request.context, () => carrier.buyLabel(request, signal)),
    lookUpLabel: (sent, signal) => about(sent.context, () => carrier.lookUpLabel(sent, signal)),
    fetchFiles: (label, format, signal) =>
      about(label.context, () => carrier.fetchFiles(label, format, signal)),
    refundState: (label, signal) => about(label.context, () => carrier.refundState(label, signal)),
    voidLabel: (label, signal) => about(label.context, () => carrier.voidLabel(label, signal)),
    track: (request, signal) => about(request.context, () => carrier.track(request, signal)),
    ...(carrier.pickups ? { pickups: pickupsWith(carrier.pickups, about) } : {}),
    ...(carrier.manifests ? { manifests: manifestsWith(carrier.manifests, about) } : {}),
    ...placesWith(carrier, about),
  };
}

function placesWith(
  { addresses, locations }: Carrier,
  about: About,
): Pick<Carrier, "addresses" | "locations"> {
  return {
    ...(addresses && {
      addresses: {
        check: (request, signal) => about(request.context, () => addresses.check(request, signal)),
      },
    }),
    ...(locations && {
      locations: {
        near: (request, signal) => about(request.context, () => locations.near(request, signal)),
      },
    }),
  };
}

function manifestsWith(manifests: CarrierManifests, about: About): CarrierManifests {
  return {
    create: (request, signal) => about(request.context, () => manifests.create(request, signal)),
    lookUp: (sent, signal) => about(sent.context, () => manifests.lookUp(sent, signal)),
    files: (manifest, signal) => about(manifest.context, () => manifests.files(manifest, signal)),
  };
}

function pickupsWith(pickups: CarrierPickups, about: About): CarrierPickups {
  return {
    ...pickups,
    schedule: (request, signal) => about(request.context, () => pickups.schedule(request, signal)),
    lookUp: (sent, signal) => about(sent.context, () => pickups.lookUp(sent, signal)),
    cancel: (request, signal) => about(request.context, () => pickups.cancel(request, signal)),
  };
}

function reporter(carrier: string, { accepted, refused }: ConnectionHealth): About {
  return async (context, call) => {
    const { account_id, connection } = context;
    if (context.is_connection_deleted) throw ofDeletedConnection(carrier);
    if (!connection) return call();
    const called = { account_id, carrier, connection };
    try {
      const answer = await call();
      accepted(called);
      return answer;
    } catch (error) {
      if (isAboutCredentials(error)) await refused(called);
      else if (isRefusal(error)) accepted(called);
      throw error;
    }
  };
}

/** The code of a call that was not made because its connection is no more. */
export const connectionDeleted = "connection_deleted";

/** Without its contract the carrier cannot be called, and the simulator, which needs none, has never heard of it. */
export function ofDeletedConnection(carrier: string): CarrierError {
  return new CarrierError({
    carrier,
    kind: "unreachable",
    carrier_code: connectionDeleted,
    message: "The connection that this was bought on was deleted.",
  });
}

function isAboutCredentials(error: unknown): boolean {
  return error instanceof CarrierError && error.exclusion === "carrier_credentials_invalid";
}

/** Of something else than the credentials. What never arrived, or got no answer, says nothing of them. */
function isRefusal(error: unknown): boolean {
  return error instanceof CarrierError && error.kind === "refused";
}
