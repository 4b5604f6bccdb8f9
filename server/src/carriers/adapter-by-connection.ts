import type { CarrierManifests } from "./capabilities.ts";
import type { CallContext, Carrier } from "./carrier.ts";
import type { CarrierPickups } from "./pickups.ts";

/**
 * One carrier of the catalogue with two ends: the simulator where a call has no connection, and the carrier
 * itself where it has one. Both have the same services, permanently under the same codes; other facts differ, and
 * `descriptorUnder` says which of them count.
 */
export function adapterByConnection(simulated: Carrier, real: Carrier): Carrier {
  const by = ({ connection }: Pick<CallContext, "connection">) => (connection ? real : simulated);
  return {
    descriptor: {
      ...simulated.descriptor,
      credentials: real.descriptor.credentials,
      connected: real.descriptor,
    },
    quote: (request, signal) => by(request.context).quote(request, signal),
    buyLabel: (request, signal) => by(request.context).buyLabel(request, signal),
    lookUpLabel: (sent, signal) => by(sent.context).lookUpLabel(sent, signal),
    fetchFiles: (label, format, signal) => by(label.context).fetchFiles(label, format, signal),
    refundState: (label, signal) => by(label.context).refundState(label, signal),
    // No call of a connection's: a list is of all that this installation bought.
    listLabels: (request, signal) => simulated.listLabels(request, signal),
    voidLabel: (label, signal) => by(label.context).voidLabel(label, signal),
    track: (request, signal) => by(request.context).track(request, signal),
    ...(simulated.pickups && real.pickups
      ? { pickups: pickupsByConnection(simulated.pickups, real.pickups) }
      : {}),
    ...(real.testConnection ? { testConnection: real.testConnection } : {}),
    ...(real.addresses ? { addresses: real.addresses } : {}),
    ...(real.locations ? { locations: real.locations } : {}),
    ...(simulated.manifests && real.manifests
      ? { manifests: manifestsByConnection(simulated.manifests, real.manifests) }
      : {}),
  };
}

function pickupsByConnection(simulated: CarrierPickups, real: CarrierPickups): CarrierPickups {
  const by = ({ connection }: CallContext) => (connection ? real : simulated);
  return {
    schedule: (request, signal) => by(request.context).schedule(request, signal),
    lookUp: (sent, signal) => by(sent.context).lookUp(sent, signal),
    list: (request, signal) => simulated.list(request, signal),
    cancel: (request, signal) => by(request.context).cancel(request, signal),
  };
}

function manifestsByConnection(
  simulated: CarrierManifests,
  real: CarrierManifests,
): CarrierManifests {
  const by = ({ connection }: CallContext) => (connection ? real : simulated);
  return {
    create: (request, signal) => by(request.context).create(request, signal),
    lookUp: (sent, signal) => by(sent.context).lookUp(sent, signal),
    files: (manifest, signal) => by(manifest.context).files(manifest, signal),
  };
}
