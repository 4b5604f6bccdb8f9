import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { steeringIn } from "../../protocol/steering-header.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { printManifest } from "../../simulator/print-manifest.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { all, xml } from "../../protocol/xml.ts";
import { manifestMediaType } from "../manifests.ts";
import { shipmentMediaType } from "../shipments.ts";
import { answer, baseOf, documentIn, link, nothingThere } from "./answers.ts";
import { labelId, shipmentId } from "./documents.ts";

interface InManifest {
  Params: { customer: string; mobo: string; id: string };
}

interface InList {
  Params: { customer: string; mobo: string };
  Querystring: { start?: string; end?: string };
}

const purchases = { config: { simulated_operation: "purchases" } } as const;
const lookUps = { config: { simulated_operation: "look_ups" } } as const;
const namespace = { xmlns: "http://www.canadapost.ca/ws/manifest-v8" };

/** Groups are transmitted: their shipments are charged, and on a manifest from then on. */
export const manifestRoutes =
  (simulated: SimulatedCarrierState): FastifyPluginAsync =>
  async (app) => {
    const { manifests, tariff, faults } = simulated;
    app.post<InManifest>("/rs/:customer/:mobo/manifest", purchases, async (request, reply) => {
      const root = documentIn(request, "transmit-set");
      const steering = steeringOf({ address2: steeringIn(request) }, tariff.carrier);
      if (await steered(steering, faults, reply)) return reply;
      if (steering.refuse) {
        throw new Refusal(400, "9117", "The manifest is refused (sim:refuse).");
      }
      const groups = all(root, "group-ids/group-id").map(({ text }) => text);
      const excluded = all(root, "excluded-shipments/shipment-id").map(({ text }) => labelId(text));
      const chosen = await openIn(simulated, { groups, excluded });
      if (chosen.length === 0) {
        throw new Refusal(400, "manifest_empty", "There is no shipment in these groups.");
      }
      const ids = chosen.map(({ label_id }) => label_id);
      const account = { account_id: chosen[0]!.account_id, environment: "test" };
      const { manifest_id } = await manifests.make(ids, { account });
      if (steering.lost_answer) return faults.dropResponse(reply);
      const href = `${baseOf(request)}/rs/${request.params.customer}/${request.params.mobo}/manifest/${shipmentId(manifest_id)}`;
      return answer(
        reply,
        xml("manifests", [link("manifest", href, manifestMediaType)], namespace),
        manifestMediaType,
      );
    });

    app.get<InList>("/rs/:customer/:mobo/manifest", lookUps, async (request, reply) => {
      const { start = "", end = "" } = request.query;
      const { customer, mobo } = request.params;
      const made = [...manifests.all()].filter(({ made_at }) => {
        const day = made_at.slice(0, 10).replaceAll("-", "");
        return start <= day && day <= end;
      });
      const base = `${baseOf(request)}/rs/${customer}/${mobo}/manifest`;
      const links = made.map(({ manifest_id }) =>
        link("manifest", `${base}/${shipmentId(manifest_id)}`, manifestMediaType),
      );
      return answer(reply, xml("manifests", links, namespace), manifestMediaType);
    });

    app.get<InManifest>("/rs/:customer/:mobo/manifest/:id", lookUps, async (request, reply) => {
      const manifest = manifests.get(labelId(request.params.id));
      if (!manifest) return nothingThere(reply);
      const base = baseOf(request);
      const self = `${base}/rs/${request.params.customer}/${request.params.mobo}/manifest/${request.params.id}`;
      const onIt = `${base}/rs/${request.params.customer}/${request.params.mobo}/shipment?manifestId=${request.params.id}`;
      const root = xml(
        "manifest",
        [
          xml(
            "po-number",
            `P${manifest.manifest_id.replaceAll(/\D/g, "").padEnd(9, "0").slice(0, 9)}`,
          ),
          xml("links", [
            link("self", self, manifestMediaType),
            link("manifestShipments", onIt, shipmentMediaType),
            link("artifact", `${base}/rs/artifact/${request.params.id}/2/0`, "application/pdf"),
          ]),
        ],
        namespace,
      );
      return answer(reply, root, manifestMediaType);
    });

    documentRoutes(app, simulated);
  };

/** What is in these groups and neither void, excluded nor on a manifest. */
async function openIn(
  { labels, manifests }: SimulatedCarrierState,
  { groups, excluded }: { groups: readonly string[]; excluded: readonly string[] },
): Promise<{ label_id: string; account_id: string }[]> {
  const open: { label_id: string; account_id: string }[] = [];
  for (const { label_id, voided } of labels.all()) {
    if (voided || manifests.of(label_id) !== null || excluded.includes(label_id)) continue;
    const known = await labels.peek({ label_id });
    const group = known?.facts.request.kept?.group_id;
    if (known && group !== undefined && groups.includes(group))
      open.push({ label_id, account_id: known.facts.account_id });
  }
  return open;
}

function documentRoutes(
  app: FastifyInstance,
  { labels, manifests, tariff }: SimulatedCarrierState,
): void {
  app.get<{ Params: { id: string } }>("/rs/artifact/:id/2/0", lookUps, async (request, reply) => {
    const manifest = manifests.get(labelId(request.params.id));
    if (!manifest) return nothingThere(reply);
    const codes = await Promise.all(
      manifest.label_ids.map(
        async (label_id) => (await labels.peek({ label_id }))?.state.tracking_code ?? label_id,
      ),
    );
    const file = await printManifest({ name: tariff.name, made_at: manifest.made_at, codes });
    return reply.type("application/pdf").send(file);
  });
}
