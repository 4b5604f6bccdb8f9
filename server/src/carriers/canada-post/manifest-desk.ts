import type { CarrierManifest, CarrierManifests, ManifestRequest } from "../capabilities.ts";
import type { CallContext, LabelFile } from "../carrier.ts";
import { badAnswer, refusedByUs } from "../protocol/classify.ts";
import { contractIn, type PostClient } from "./client.ts";
import { errorTable, successOf } from "./errors.ts";
import { artifact } from "./files.ts";
import { labelLookUp } from "./label-look-up.ts";
import { keptLinks } from "./links.ts";
import { fromManifest, fromManifests, manifestMediaType, toTransmitSet } from "./manifests.ts";
import { isVoided } from "./shipments.ts";

const timeout_ms = 60_000;

/**
 * Manifests: the groups of the labels are transmitted without what else is in them. Canada Post charges what
 * was transmitted, and answers with the manifests that it made of it.
 */
export function canadaPostManifests(client: PostClient): CarrierManifests {
  async function call(
    context: CallContext,
    to: string,
    rest: { body?: string; signal: AbortSignal },
  ) {
    const method = rest.body === undefined ? "GET" : "POST";
    return client.call({ method, to, media_type: manifestMediaType, context, timeout_ms, ...rest });
  }

  return {
    async create(request, signal) {
      const { context, from_address } = request;
      const contract = contractIn(context);
      const groups = groupsOf(request);
      const excluded_shipment_ids = await othersIn(client, groups, { request, signal });
      const body = toTransmitSet(
        { group_ids: groups, excluded_shipment_ids, from: from_address },
        contract,
      );
      const path = `/rs/${contract.customer_number}/${contract.mailed_on_behalf_of}/manifest`;
      const links = fromManifests(
        successOf(await call(context, path, { body, signal }), "manifests"),
      );
      const made: CarrierManifest[] = [];
      for (const link of links) {
        const manifest = fromManifest(successOf(await call(context, link, { signal }), "manifest"));
        const file = manifest.links.artifact;
        if (!file) throw badAnswer(errorTable);
        const bytes = await artifact(file, { client, context, signal });
        const files: LabelFile[] = [{ type: "manifest", package_index: null, ...bytes }];
        made.push({
          carrier_manifest_id: manifest.po_number ?? link,
          files,
          carrier_data: { manifest: link },
        });
      }
      return whole(made);
    },
  };
}

/** Throws for a label that is in no group: it was charged when it was bought. */
function groupsOf({ labels }: ManifestRequest): string[] {
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
  const lookUp = labelLookUp(client, request.context, signal);
  const present = (await Promise.all(groups.map((group) => lookUp.inGroup(group)))).flat();
  const open = present.filter(({ status }) => !isVoided(status)).map((each) => each.shipment_id);
  const wanted = request.labels.map(({ carrier_label_id }) => carrier_label_id);
  const missing = request.labels.find(({ carrier_label_id: id }) => !open.includes(id));
  if (!missing) return present.map((each) => each.shipment_id).filter((id) => !wanted.includes(id));
  throw refusedByUs(errorTable, {
    carrier_code: "not_open",
    message: `${missing.tracking_code} is void or on a manifest already.`,
    field: "shipment_ids",
  });
}

/** Canada Post makes several where groups were shipped from several places: they are one of ours. */
function whole(made: readonly CarrierManifest[]): CarrierManifest {
  if (made.length === 0) throw badAnswer(errorTable);
  return {
    carrier_manifest_id: made.map((each) => each.carrier_manifest_id).join(" "),
    files: made.flatMap((each) => each.files),
    carrier_data: { manifests: made.map((each) => each.carrier_data?.manifest) },
  };
}
