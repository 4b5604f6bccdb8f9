import { CarrierError, type CallContext, type CarrierCost, type SentLabel } from "../carrier.ts";

import type { XmlElement } from "../protocol/xml.ts";
import { contractIn, type PostClient } from "./client.ts";
import type { Contract } from "./credentials.ts";
import { errorTable, saysNothingIsThere, successOf } from "./errors.ts";
import {
  fromReceipt,
  fromShipmentDetails,
  fromShipmentInfo,
  fromShipments,
  groupId,
  nonContractMediaType,
  shipmentMediaType,
  type KnownShipment,
  type Link,
  type ShipmentDetails,
} from "./shipments.ts";

/** Asking Canada Post for a shipment by our reference. */
interface LabelLookUp {
  /** Null when there is none under this contract: Canada Post has it as soon as it has answered. */
  find(
    sent: Pick<SentLabel, "reference" | "look_up" | "sent_at" | "context">,
  ): Promise<KnownShipment | null>;
  /** By reference alone: a shipment of a group that was transmitted is found, too. */
  byReference(reference: string): Promise<KnownShipment | null>;
  details(shipment_id: string): Promise<ShipmentDetails | null>;
  /** The shipments of a group that is not transmitted yet. */
  inGroup(group_id: string): Promise<KnownShipment[]>;
}

const timeout_ms = 20_000;

export function labelLookUp(
  client: PostClient,
  context: CallContext,
  signal: AbortSignal,
): LabelLookUp {
  const contract = contractIn(context);
  const archive = shipmentArchive(client, context, signal);
  const ours = (query: string, reference: string) => ownIn(archive, query, reference);
  const byReference = (reference: string) =>
    ours(`requestId=${encodeURIComponent(reference)}&provideShipmentInfo=true`, reference);

  async function underContract({ reference, look_up, context: { account_id } }: SentLabel) {
    const group = groupId(account_id, look_up.ship_date);
    const inGroup = `groupId=${group}&provideShipmentInfo=true`;
    return (await byReference(reference)) ?? (await ours(inGroup, reference));
  }

  /** Their list is by time, and has no reference of ours: that it finds nothing proves nothing. */
  async function withoutContract({ reference, sent_at }: SentLabel): Promise<KnownShipment> {
    const found = await ours(timeSpan(sent_at), reference);
    if (!found) throw absenceUnproven();
    const { receipt } = found.links;
    return { ...found, cost: receipt ? await archive.paid(receipt) : null };
  }

  const hasContract = contract.contract_id !== null;
  return {
    find: (sent) => (hasContract ? underContract(sent) : withoutContract(sent)),
    byReference: async (reference) => (hasContract ? byReference(reference) : null),
    details: archive.details,
    inGroup: (group) => archive.list(`groupId=${group}&provideShipmentInfo=true`),
  };
}

/** The one of a list that has our reference; what does not echo it is asked for its details. */
async function ownIn(
  archive: ShipmentArchive,
  query: string,
  reference: string,
): Promise<KnownShipment | null> {
  for (const shipment of await archive.list(query)) {
    const known = shipment.customer_request_id;
    if (known === reference) return shipment;
    if (known !== null) continue;
    const more = await archive.details(shipment.shipment_id);
    const told = more?.customer_request_id ?? more?.customer_ref_1;
    if (told === reference) {
      return { ...shipment, status: shipment.status ?? more?.status ?? null };
    }
  }
  return null;
}

/** The shipments that Canada Post has of a customer, with or without a contract. */
interface ShipmentArchive {
  list(query: string): Promise<KnownShipment[]>;
  details(shipment_id: string): Promise<ShipmentDetails | null>;
  paid(receipt: Link): Promise<CarrierCost | null>;
}

function shipmentArchive(
  client: PostClient,
  context: CallContext,
  signal: AbortSignal,
): ShipmentArchive {
  const contract = contractIn(context);
  const path = shipmentsPath(contract);
  const hasContract = contract.contract_id !== null;
  const media_type = hasContract ? shipmentMediaType : nonContractMediaType;
  const named = (element: string) => (hasContract ? element : `non-contract-${element}`);

  async function get(to: string | Link, element: string): Promise<XmlElement | null> {
    const call = { method: "GET", to, media_type, context, signal, timeout_ms } as const;
    const answer = await client.call(call);
    if (saysNothingIsThere(answer)) return null;
    return successOf(answer, named(element));
  }

  return {
    /** Canada Post answers with links alone where it was not asked for more. */
    async list(query) {
      const root = await get(`${path}?${query}`, "shipments");
      if (!root) return [];
      const { shipments, links } = fromShipments(root);
      if (links.length > maxLinks) throw absenceUnproven();
      for (const link of links) {
        const info = await get(link, "shipment-info");
        const shipment = info && fromShipmentInfo(info);
        if (shipment) shipments.push(shipment);
      }
      return shipments;
    },
    async details(shipment_id) {
      const root = await get(
        `${path}/${encodeURIComponent(shipment_id)}/details`,
        "shipment-details",
      );
      return root && fromShipmentDetails(root);
    },
    async paid(link) {
      const receipt = await get(link, "shipment-receipt");
      return receipt && fromReceipt(receipt);
    },
  };
}

/** Where a connection's shipments are. */
export function shipmentsPath({
  customer_number,
  mailed_on_behalf_of,
  contract_id,
}: Contract): string {
  return contract_id === null
    ? `/rs/${customer_number}/ncshipment`
    : `/rs/${customer_number}/${mailed_on_behalf_of}/shipment`;
}

/** Of a list without details: more than these are not gone through one by one. */
const maxLinks = 60;
const dayMs = 86_400_000;

/** A day around it, whatever zone the carrier reads it in. */
function timeSpan(sent_at: Date): string {
  const minute = (at: number) => new Date(at).toISOString().replace(/\D/g, "").slice(0, 12);
  return `from=${minute(sent_at.getTime() - dayMs)}&to=${minute(sent_at.getTime() + dayMs)}`;
}

function absenceUnproven(): CarrierError {
  return new CarrierError({
    kind: "unknown",
    carrier: errorTable.carrier,
    carrier_code: "absence_unproven",
    message: "Canada Post does not find shipments without a contract by their reference.",
  });
}
