import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierDescriptor,
  type CarrierService,
  type LabelFile,
  type QuoteRequest,
  type SentLabel,
  type ShipmentForCarrier,
  type UnavailableService,
} from "../carrier.ts";
import type { Hosts } from "../protocol/rest-client.ts";
import { canadaPostHosts, contractIn, postClient, type PostClient } from "./client.ts";
import { customs } from "./customs.ts";
import { errorTable, messagesIn, noPinHistoryCode, successOf } from "./errors.ts";
import { badAnswer } from "../protocol/classify.ts";
import { textAt } from "../protocol/xml.ts";
import { filesBehind } from "./files.ts";
import { labelLookUp } from "./label-look-up.ts";
import { keptLinks, toCarrierData } from "./links.ts";
import { canadaPostManifests } from "./manifest-calls.ts";
import { canadaPostPickups } from "./pickup-calls.ts";
import { destination, sender } from "./parties.ts";
import { postOffices } from "./post-offices.ts";
import { quotePrices } from "./prices.ts";
import { buyLabel } from "./purchase.ts";
import { groupId, isVoided, type KnownShipment } from "./shipments.ts";
import { testConnection } from "./test-connection.ts";
import { fromTrackingDetail, trackMediaType } from "./tracking.ts";
import { refundState, voidLabel } from "./voids.ts";

const trackTimeoutMs = 20_000;

/** Canada Post over its web services, at the host of each call's environment. */
export function canadaPostCarrier(
  descriptor: CarrierDescriptor,
  hosts: Hosts = canadaPostHosts,
): Carrier {
  const client = postClient(hosts);
  return {
    descriptor,
    pickups: canadaPostPickups(client),
    locations: postOffices(client),
    manifests: canadaPostManifests(client),

    async quote(request, signal) {
      const { askable, unavailable } = sorted(request);
      if (askable.length === 0) return { rates: [], unavailable };
      const quote = await quotePrices(client, { ...request, services: askable }, signal);
      return { ...quote, unavailable: [...quote.unavailable, ...unavailable] };
    },

    buyLabel: (request, signal) => buyLabel(client, request, signal),

    async lookUpLabel(sent, signal) {
      const found = await labelLookUp(client, sent.context, signal).find(sent);
      if (!found) return null;
      const kind = contractIn(sent.context).contract_id === null ? "none" : "contract";
      const tracking_code = found.tracking_pin ?? found.shipment_id;
      return {
        carrier_label_id: found.shipment_id,
        tracking_code,
        package_tracking_codes: [tracking_code],
        state: isVoided(found.status) ? "voided" : "live",
        cost: found.cost,
        files: await filesOrFetch(client, found, { context: sent.context, signal }),
        carrier_data: toCarrierData(kind, { ...found.links, ...groupIn(sent, kind) }),
      };
    },

    async fetchFiles({ context, reference, carrier_data }, _format, signal) {
      const call = { client, context, signal };
      const kept = keptLinks(carrier_data);
      if (kept?.label) return filesBehind(kept, call);
      // The link was not there when the label was bought: it is with the shipment now.
      const found = await labelLookUp(client, context, signal).byReference(reference);
      return filesBehind(found?.links ?? {}, call);
    },

    testConnection: (connection, signal) => testConnection(client, connection, signal),
    refundState: (label, signal) => refundState(client, label, signal),
    voidLabel: (label, signal) => voidLabel(client, label, signal),

    listLabels: () => {
      throw new Error("Canada Post lists no labels with our references");
    },

    async track({ context, tracking_code }, signal) {
      const answer = await client.call({
        method: "GET",
        to: `/vis/track/pin/${encodeURIComponent(tracking_code)}/detail`,
        media_type: trackMediaType,
        context,
        signal,
        timeout_ms: trackTimeoutMs,
      });
      if (messagesIn(answer).some(({ code }) => code === noPinHistoryCode)) return null;
      const detail = successOf(answer, "tracking-detail");
      if (textAt(detail, "pin") !== tracking_code) throw badAnswer(errorTable);
      return fromTrackingDetail(detail);
    },
  };
}

function groupIn(
  { context, look_up }: Pick<SentLabel, "context" | "look_up">,
  kind: "contract" | "none",
) {
  return kind === "contract" ? { group_id: groupId(context.account_id, look_up.ship_date) } : {};
}

/** A file that cannot be had now is fetched later: the label is found either way. */
async function filesOrFetch(
  client: PostClient,
  { links }: KnownShipment,
  call: { context: CallContext; signal: AbortSignal },
): Promise<LabelFile[] | "fetch"> {
  return filesBehind(links, { client, ...call }).catch(() => "fetch" as const);
}

/** The services that may be asked for, and why the others may not. */
function sorted({ services, shipment, estimated, context }: QuoteRequest): {
  askable: CarrierService[];
  unavailable: UnavailableService[];
} {
  const origin = shipment.from_address.country_code;
  const from = services.filter(({ origins }) => origins.includes(origin));
  const elsewhere = services.filter((service) => !from.includes(service)).map(notFromHere);
  const problem = estimated ? null : problemOf(shipment, context);
  if (problem === null) return { askable: from, unavailable: elsewhere };
  const incomplete = from.map(({ code }): UnavailableService => ({ service: code, ...problem }));
  return { askable: [], unavailable: [...incomplete, ...elsewhere] };
}

/** What its purchase would be refused for. */
function problemOf(
  shipment: ShipmentForCarrier,
  context: CallContext,
): Pick<UnavailableService, "reason" | "message"> | null {
  try {
    sender(shipment.from_address, contractIn(context), false);
    destination(shipment.to_address);
    customs(shipment);
    return null;
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { reason: error.exclusion, message: error.message };
  }
}

function notFromHere({ code, name }: CarrierService): UnavailableService {
  const message = `${name} does not start in this country.`;
  return { service: code, reason: "origin_not_supported", message };
}
