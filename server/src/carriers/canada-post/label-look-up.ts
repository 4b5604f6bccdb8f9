import { CarrierError, type CallContext, type SentLabel } from "../carrier.ts";

import type { XmlElement } from "../protocol/xml.ts";
import { contractIn, type PostClient } from "./client.ts";
import type { Contract } from "./credentials.ts";
import { errorTable, messagesIn, successOf } from "./errors.ts";
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
export interface LabelLookUp {
  /** Null when there is none under this contract: Canada Post has it as soon as it has answered. */
  find(
    sent: Pick<SentLabel, "reference" | "look_up" | "sent_at" | "context">,
  ): Promise<KnownShipment | null>;
  /** By reference alone: a shipment of a group that was transmitted is found, too. */
  byReference(reference: string): Promise<KnownShipment | null>;
  details(shipment_id: string): Promise<ShipmentDetails | null>;
}

const timeout_ms = 20_000;

export function labelLookUp(
  client: PostClient,
  context: CallContext,
  signal: AbortSignal,
): LabelLookUp {
  const contract = contractIn(context);
  const hasContract = contract.contract_id !== null;
  const media_type = hasContract ? shipmentMediaType : nonContractMediaType;
  const path = shipmentsPath(contract);

  async function get(to: string | Link, element: string): Promise<XmlElement | null> {
    const answer = await client.call({
      method: "GET",
      to,
      media_type,
      context,
      signal,
      timeout_ms,
    });
    // Nothing is there, in Canada Post's own form: `messages`, which may be empty.
    if (answer.status === 404 && isOwnForm(answer.bytes)) return null;
    return successOf(answer, element);
  }

  /** All of a list: Canada Post answers with links alone where it was not asked for more. */
  async function list(query: string): Promise<KnownShipment[]> {
    const root = await get(
      `${path}?${query}`,
      hasContract ? "shipments" : "non-contract-shipments",
    );
    if (!root) return [];
    const { shipments, links } = fromShipments(root);
    for (const link of links.slice(0, maxLinks)) {
      const info = await get(link, hasContract ? "shipment-info" : "non-contract-shipment-info");
      const shipment = info && fromShipmentInfo(info);
      if (shipment) shipments.push(shipment);
    }
    if (links.length > maxLinks) throw absenceUnproven();
    return shipments;
  }

  async function details(shipment_id: string): Promise<ShipmentDetails | null> {
    const name = hasContract ? "shipment-details" : "non-contract-shipment-details";
    const root = await get(`${path}/${encodeURIComponent(shipment_id)}/details`, name);
    return root && fromShipmentDetails(root);
  }

  /** The one of the list that has our reference; what does not echo it is asked for its details. */
  async function ours(
    shipments: KnownShipment[],
    reference: string,
  ): Promise<KnownShipment | null> {
    for (const shipment of shipments) {
      const known = shipment.customer_request_id;
      if (known === reference) return shipment;
      if (known !== null) continue;
      const more = await details(shipment.shipment_id);
      const told = hasContract ? more?.customer_request_id : more?.customer_ref_1;
      if (told === reference)
        return { ...shipment, status: shipment.status ?? more?.status ?? null };
    }
    return null;
  }

  const byReference = async (reference: string) =>
    ours(
      await list(`requestId=${encodeURIComponent(reference)}&provideShipmentInfo=true`),
      reference,
    );

  async function underContract({ reference, look_up, context: { account_id } }: SentLabel) {
    const group = groupId(account_id, look_up.ship_date);
    return (
      (await byReference(reference)) ??
      (await ours(await list(`groupId=${group}&provideShipmentInfo=true`), reference))
    );
  }

  /** Their list is by time, and has no reference of ours: that it finds nothing proves nothing. */
  async function withoutContract({ reference, sent_at }: SentLabel): Promise<KnownShipment> {
    const found = await ours(await list(timeSpan(sent_at)), reference);
    if (found) return { ...found, cost: await paid(found) };
    throw absenceUnproven();
  }

  async function paid({ links }: KnownShipment) {
    const receipt = links.receipt
      ? await get(links.receipt, "non-contract-shipment-receipt")
      : null;
    return receipt && fromReceipt(receipt);
  }

  return {
    find: (sent) => (hasContract ? underContract(sent) : withoutContract(sent)),
    byReference: async (reference) => (hasContract ? byReference(reference) : null),
    details,
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

function isOwnForm(bytes: Buffer): boolean {
  return messagesIn({ bytes }).length > 0 || /<messages\b/.test(bytes.toString("latin1"));
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
