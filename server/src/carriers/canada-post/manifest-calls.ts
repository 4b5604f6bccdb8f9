import { addDays } from "../../domain/time/business-days.ts";
import type {
  CarrierManifest,
  CarrierManifests,
  ManifestRequest,
  SentManifest,
} from "../capabilities.ts";
import { CarrierError, type CallContext, type LabelFile, type LabelRef } from "../carrier.ts";
import { badAnswer, beforeTheCall, refusedByUs } from "../protocol/classify.ts";
import { contractIn, type PostClient } from "./client.ts";
import { errorTable } from "./errors.ts";
import { labelLookUp } from "./label-look-up.ts";
import { keptLinks } from "./links.ts";
import { manifestArchive, type ManifestArchive } from "./manifest-archive.ts";
import { isKeptManifests, toTransmitSet } from "./manifests.ts";
import { isVoided, type KnownShipment } from "./shipments.ts";

/**
 * Manifests: the groups of the labels are transmitted without what else is in them. Canada Post charges what
 * was transmitted, and answers with the manifests that it made of it.
 */
export function canadaPostManifests(client: PostClient): CarrierManifests {
  return {
    async create(request, signal) {
      const archive = manifestArchive(client, request.context, signal);
      const { from_address: from } = request;
      const group_ids = groupsOf(request.labels);
      const excluded_shipment_ids = await othersIn(client, group_ids, { request, signal });
      const set = { group_ids, excluded_shipment_ids, from };
      const body = toTransmitSet(set, contractIn(request.context));
      const links = await archive.transmit(body, from.address2);
      return manifestBehind(archive, links);
    },

    lookUp: (sent, signal) => lookUp(client, sent, signal),

    async files({ context, carrier_data }, signal) {
      if (!isKeptManifests(carrier_data)) return [];
      const archive = manifestArchive(client, context, signal);
      const all = await Promise.all(carrier_data.manifests.map((link) => archive.show(link)));
      return all.map(({ file }) => file);
    },
  };
}

/** Throws for a label that is in no group: it was charged when it was bought. */
function groupsOf(labels: readonly LabelRef[]): string[] {
  const groups = labels.map(({ carrier_data }) => keptLinks(carrier_data)?.group_id);
  if (groups.length === 0 || groups.includes(undefined)) {
    throw refusedByUs(errorTable, {
      carrier_code: "manifest_not_needed",
      message: "Canada Post makes manifests of shipments that were bought under a contract.",
      field: "shipment_ids",
    });
  }
  return [...new Set(groups)].filter((group) => group !== undefined);
}

/** What else is in the groups. Throws where one of the labels is not: it is on a manifest, or void. */
async function othersIn(
  client: PostClient,
  groups: readonly string[],
  { request, signal }: { request: ManifestRequest; signal: AbortSignal },
): Promise<string[]> {
  const { context } = request;
  const present = await shipmentsIn(client, groups, { context, signal }).catch(nothingSent);
  const open = openOf(present);
  const wanted = request.labels.map(({ carrier_label_id }) => carrier_label_id);
  const missing = request.labels.find(({ carrier_label_id: id }) => !open.has(id));
  if (!missing) return present.map((each) => each.shipment_id).filter((id) => !wanted.includes(id));
  throw refusedByUs(errorTable, {
    carrier_code: "not_open",
    message: `${missing.tracking_code} is void or on a manifest already.`,
    field: "shipment_ids",
  });
}

/** Whatever came of the question, nothing was transmitted. */
function nothingSent(error: unknown): never {
  const isOpen = error instanceof CarrierError && error.kind === "unknown";
  throw isOpen ? beforeTheCall(error) : error;
}

async function shipmentsIn(
  client: PostClient,
  groups: readonly string[],
  { context, signal }: { context: CallContext; signal: AbortSignal },
): Promise<KnownShipment[]> {
  const labels = labelLookUp(client, context, signal);
  return (await Promise.all(groups.map((group) => labels.inGroup(group)))).flat();
}

/** The ids of those that can still be transmitted. */
function openOf(shipments: readonly KnownShipment[]): Set<string> {
  const open = shipments.filter(({ status }) => !isVoided(status));
  return new Set(open.map(({ shipment_id }) => shipment_id));
}

/**
 * A transmission takes all of its labels: where one of them is still open, there was none. Otherwise the
 * manifest is one of these days, and names them. Throws while it is in no list.
 */
async function lookUp(
  client: PostClient,
  { context, labels, sent_at }: SentManifest,
  signal: AbortSignal,
): Promise<CarrierManifest | null> {
  const open = openOf(await shipmentsIn(client, groupsOf(labels), { context, signal }));
  if (labels.some(({ carrier_label_id }) => open.has(carrier_label_id))) return null;
  const archive = manifestArchive(client, context, signal);
  const wanted = new Set(labels.map(({ carrier_label_id }) => carrier_label_id));
  const day = sent_at.toISOString().slice(0, 10);
  const links: string[] = [];
  for (const link of await archive.between(addDays(day, -1), addDays(day, 1))) {
    const shipments = await archive.shipmentsOn(link);
    if (shipments.some((id) => wanted.has(id))) links.push(link);
  }
  if (links.length > 0) return manifestBehind(archive, links);
  throw new CarrierError({
    kind: "unknown",
    carrier: errorTable.carrier,
    carrier_code: "manifest_not_shown",
    message: "Canada Post does not show the manifest yet.",
  });
}

/**
 * Canada Post makes several where groups were shipped from several places: they are one of ours. They are made:
 * where what is asked of them fails, only their document is missing.
 */
async function manifestBehind(
  archive: ManifestArchive,
  links: readonly string[],
): Promise<CarrierManifest> {
  if (links.length === 0) throw badAnswer(errorTable);
  const ids: string[] = [];
  const files: LabelFile[] = [];
  for (const link of links) {
    const shown = await archive.show(link).catch((error: unknown) => {
      if (error instanceof CarrierError) return null;
      throw error;
    });
    ids.push(shown?.po_number ?? link.split("/").at(-1) ?? link);
    if (shown) files.push(shown.file);
  }
  // A part of the documents would look complete, so all or none are returned.
  const isWhole = files.length === links.length;
  return {
    carrier_manifest_id: ids.join(" "),
    files: isWhole ? files : [],
    carrier_data: { manifests: [...links] },
  };
}
