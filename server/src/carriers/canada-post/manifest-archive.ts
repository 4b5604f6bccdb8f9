import type { CallContext, LabelFile } from "../carrier.ts";
import { badAnswer } from "../protocol/classify.ts";
import { contractIn, type PostClient } from "./client.ts";
import { errorTable, saysNothingIsThere, successOf } from "./errors.ts";
import { artifact } from "./files.ts";
import { fromManifest, fromManifests, manifestMediaType } from "./manifests.ts";
import { fromShipments, shipmentMediaType } from "./shipments.ts";

/** The manifests that Canada Post has of a customer, by their links, which are paths of its host. */
export interface ManifestArchive {
  /** Makes them. Returns the links of what was made. `steering` is for the simulator. */
  transmit(body: string, steering: string | null): Promise<string[]>;
  /** Throws a `CarrierError` while there is no document. */
  show(link: string): Promise<{ po_number: string | null; file: LabelFile }>;
  /** The ids of the shipments on one. */
  shipmentsOn(link: string): Promise<string[]>;
  /** Those of these days, `YYYY-MM-DD`. The names of the parameters are an assumption. */
  between(first: string, last: string): Promise<string[]>;
}

const timeout_ms = 60_000;

export function manifestArchive(
  client: PostClient,
  context: CallContext,
  signal: AbortSignal,
): ManifestArchive {
  const contract = contractIn(context);
  const path = `/rs/${contract.customer_number}/${contract.mailed_on_behalf_of}/manifest`;
  const call = { media_type: manifestMediaType, context, signal, timeout_ms } as const;
  const known = async (link: string) =>
    fromManifest(successOf(await client.call({ ...call, method: "GET", to: link }), "manifest"));

  return {
    async transmit(body, steering) {
      const answer = await client.call({ ...call, method: "POST", to: path, body, steering });
      return fromManifests(successOf(answer, "manifests"));
    },

    async show(link) {
      const { po_number, links } = await known(link);
      if (!links.artifact) throw badAnswer(errorTable);
      const document = await artifact(links.artifact, { client, context, signal });
      return { po_number, file: { type: "manifest", package_index: null, ...document } };
    },

    async shipmentsOn(link) {
      const { manifestShipments } = (await known(link)).links;
      if (!manifestShipments) throw badAnswer(errorTable);
      const answer = await client.call({
        ...call,
        method: "GET",
        to: manifestShipments,
        media_type: shipmentMediaType,
      });
      const { shipments, links } = fromShipments(successOf(answer, "shipments"));
      const ids = links.map((each) => each.replace(/\?.*$/, "").split("/").at(-1) ?? each);
      return [...shipments.map(({ shipment_id }) => shipment_id), ...ids];
    },

    async between(first, last) {
      const [start, end] = [first, last].map((day) => day.replaceAll("-", ""));
      const to = `${path}?start=${start}&end=${end}`;
      const answer = await client.call({ ...call, method: "GET", to });
      if (saysNothingIsThere(answer)) return [];
      return fromManifests(successOf(answer, "manifests"));
    },
  };
}
