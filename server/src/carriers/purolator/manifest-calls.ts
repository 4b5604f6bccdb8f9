import type { CarrierManifests } from "../capabilities.ts";
import { CarrierError, type CallContext, type LabelFile } from "../carrier.ts";
import { badAnswer } from "../protocol/classify.ts";
import { isTrueAt } from "../protocol/xml.ts";
import { formatOf, fromManifests, toManifestRequest } from "./documents.ts";
import { errorTable, successOf } from "./errors.ts";
import { bytesOf } from "./labels.ts";
import type { SoapClient } from "./soap.ts";

const timeout_ms = 60_000;

/**
 * The end of the day: everything that the account has open is consolidated, whichever labels are named, since
 * Purolator takes no list. The documents are fetched by the day, in a second call whose failure is none of the first.
 */
export function purolatorManifests(client: SoapClient): CarrierManifests {
  return {
    async create({ context, ship_date, from_address: { address2: steering } }, signal) {
      const consolidate = { service: "shipping", operation: "Consolidate", request: [] } as const;
      const done = successOf(
        await client.call({ ...consolidate, context, signal, timeout_ms, steering }),
        "ConsolidateResponse",
      );
      // The element has the operation's name.
      if (!isTrueAt(done, "Consolidate")) throw badAnswer(errorTable);
      const documents = await documentsOf(client, ship_date, { context, signal }).catch(noneYet);
      const carrier_manifest_id = `${ship_date} ${documents?.closed_at ?? ""}`.trim();
      return { carrier_manifest_id, files: documents?.files ?? [], carrier_data: { ship_date } };
    },

    lookUp: () => {
      throw new Error("Purolator's manifests cannot be told apart");
    },

    files: async ({ context, ship_date }, signal) =>
      (await documentsOf(client, ship_date, { context, signal })).files,
  };
}

/** Of the newest manifest of the day. Throws while there is none. */
async function documentsOf(
  client: SoapClient,
  ship_date: string,
  { context, signal }: { context: CallContext; signal: AbortSignal },
): Promise<{ closed_at: string; files: LabelFile[] }> {
  const operation = "GetShipmentManifestDocument";
  const request = toManifestRequest(ship_date);
  const call = { service: "documents", operation, request, context, signal, timeout_ms } as const;
  const { closed_at, urls } = fromManifests(
    successOf(await client.call(call), `${operation}Response`),
  );
  const files = await Promise.all(
    urls.map(async (url) => {
      const bytes = await bytesOf(client, { url }, { context, signal });
      return { type: "manifest", package_index: null, format: formatOf(bytes), bytes } as const;
    }),
  );
  return { closed_at, files };
}

function noneYet(error: unknown): null {
  if (error instanceof CarrierError) return null;
  throw error;
}
