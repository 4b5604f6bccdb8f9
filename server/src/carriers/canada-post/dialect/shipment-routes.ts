import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { steeringIn } from "../../protocol/steering-header.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { freeReference, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import { hasPassed, type LabelState } from "../../simulator/label-facts.ts";
import { purchaseFaults } from "../../simulator/purchase-faults.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { steeringOf } from "../../simulator/steering.ts";
import type { WireLabelRequest } from "../../simulator/wire.ts";
import { textAt, xml, type XmlOutput } from "../../protocol/xml.ts";
import { notVoidableCode, refundRequestedCode } from "../errors.ts";
import { returnMediaType } from "../returns.ts";
import { nonContractMediaType, shipmentMediaType } from "../shipments.ts";
import { answer, baseOf, documentIn, link, nothingThere } from "./answers.ts";
import { fromAuthorizedReturn, fromShipment } from "./consignment.ts";
import {
  centsOf,
  fileTypeOf,
  labelId,
  nonContractInfo,
  receipt,
  shipmentDetails,
  shipmentId,
  shipmentInfo,
  shipmentPrice,
  ticketTexts,
  type ShownShipment,
} from "./documents.ts";

interface InShipment {
  Params: { customer: string; mobo: string; id: string };
}
interface InList {
  Params: { customer: string; mobo: string };
  Querystring: Record<string, string | undefined>;
}

/** Shipments: bought, looked up, priced, printed, deleted, refunded. */
export const shipmentRoutes =
  (simulated: SimulatedCarrierState): FastifyPluginAsync =>
  async (app) => {
    const shipments = shipmentActions(simulated);
    for (const form of [contractForm, nonContractForm]) {
      app.post<InList>(form.path, purchases, async (request, reply) => {
        const root = documentIn(request, form.request);
        const steering = steeringIn(request);
        const account_id = textAt(root, "delivery-spec/references/cost-centre") ?? "platform";
        const sold = await shipments.buy(request, reply, {
          wire: fromShipment(root, steering),
          account_id,
        });
        if (!sold) return reply;
        return answer(
          reply,
          form.info(sold, baseOf(request) + request.url.replace(/^.*?(\/rs\/)/, "$1")),
          form.media_type,
        );
      });

      app.get<InList>(form.path, lookUps, async (request, reply) => {
        const base = baseOf(request) + pathOf(request.url);
        const shown = await shipments.list(request.query);
        const full = request.query.provideShipmentInfo === "true" && form === contractForm;
        const entries = shown.map((each) =>
          full
            ? form.info(each, base)
            : link(
                "shipment",
                `${base}/${shipmentId(each.issued.state.label_id)}`,
                form.media_type,
              ),
        );
        return answer(reply, xml(form.list, entries), form.media_type);
      });

      const show = (suffix: string, write: (shown: ShownShipment, base: string) => XmlOutput) =>
        app.get<InShipment>(`${form.path}/:id${suffix}`, lookUps, async (request, reply) => {
          const shown = await shipments.get(request.params.id);
          if (!shown) return nothingThere(reply);
          const base =
            baseOf(request) +
            pathOf(request.url)
              .slice(0, -suffix.length || undefined)
              .replace(/\/[^/]+$/, "");
          return answer(reply, write(shown, base), form.media_type);
        });
      show("", form.info);
      show("/details", (shown) => shipmentDetails(shown, form.details));
      show("/price", (shown) => shipmentPrice(shown, centsOf(shown) ?? 0));
      show("/receipt", receipt);

      app.post<InShipment>(`${form.path}/:id/refund`, voids, async (request, reply) => {
        documentIn(request, form.refund);
        const ticket = await shipments.refund(request.params.id, reply);
        return ticket ? answer(reply, xml(`${form.refund}-info`, ticket), form.media_type) : reply;
      });
    }

    others(app, shipments, simulated);
  };

/** Deletion, returns, and the files of all of them. */
function others(
  app: FastifyInstance,
  shipments: ShipmentActions,
  { labels }: SimulatedCarrierState,
): void {
  app.delete<InShipment>(`${contractForm.path}/:id`, voids, async (request, reply) => {
    return shipments.remove(request.params.id, reply);
  });

  app.post<InList>("/rs/:customer/:mobo/authorizedreturn", purchases, async (request, reply) => {
    const root = documentIn(request, "authorized-return");
    const wire = fromAuthorizedReturn(root, steeringIn(request));
    const sold = await shipments.buy(request, reply, { wire, account_id: "platform" });
    if (!sold) return reply;
    const { tracking_code, label_id } = sold.issued.state;
    const href = `${baseOf(request)}/rs/artifact/${shipmentId(label_id)}/1/0`;
    const links = xml("links", [link("returnLabel", href, "application/pdf")]);
    const info = [xml("tracking-pin", tracking_code), links];
    return answer(reply, xml("authorized-return-info", info), returnMediaType);
  });

  app.get<{ Params: { id: string } }>("/rs/artifact/:id/1/0", lookUps, async (request, reply) => {
    const known = await labels.peek({ label_id: labelId(request.params.id) });
    if (!known) return nothingThere(reply);
    const { label: file } = await labels.show(known);
    if (!file) return reply.code(202).send();
    return reply.type(fileTypeOf(file.format)).send(Buffer.from(file.content, "base64"));
  });
}

const purchases = { config: { simulated_operation: "purchases" } } as const;
const lookUps = { config: { simulated_operation: "look_ups" } } as const;
const voids = { config: { simulated_operation: "voids" } } as const;

const contractForm = {
  path: "/rs/:customer/:mobo/shipment",
  media_type: shipmentMediaType,
  request: "shipment",
  list: "shipments",
  details: "shipment-details",
  refund: "shipment-refund-request",
  info: shipmentInfo,
};
const nonContractForm = {
  path: "/rs/:customer/ncshipment",
  media_type: nonContractMediaType,
  request: "non-contract-shipment",
  list: "non-contract-shipments",
  details: "non-contract-shipment-details",
  refund: "non-contract-shipment-refund-request",
  info: nonContractInfo,
};

/** The path below the dialect's own, without a query. */
function pathOf(url: string): string {
  return url.replace(/^.*?(\/rs\/)/, "$1").replace(/\?.*$/, "");
}

type ShipmentActions = ReturnType<typeof shipmentActions>;

function shipmentActions({ labels, manifests, tariff, faults, clock }: SimulatedCarrierState) {
  const purchases = purchaseFaults(faults);

  async function shown(label_id: string): Promise<ShownShipment | null> {
    const issued = await labels.peek({ label_id });
    return issued && { issued, transmitted: manifests.of(label_id) !== null };
  }

  /** Null where the reply was sent, or will never be. */
  async function buy(
    request: FastifyRequest,
    reply: FastifyReply,
    { wire, account_id }: { wire: WireLabelRequest; account_id: string },
  ): Promise<ShownShipment | null> {
    const steering = steeringOf(wire.recipient, tariff.carrier);
    // Canada Post has no expiring tokens, so `sim:token_expired` does nothing.
    purchases.before({ ...steering, token_expired: false }, wire.reference);
    // Whether it takes a request id twice its documents do not say: it does here, and the journal shows it.
    const reference = await freeReference(labels, wire.reference);
    const sold = await labels.buy(
      { ...wire, reference },
      {
        account: { account_id, environment: "test" },
        tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
      },
    );
    if (sold.drop_response || steering.empty_ok) {
      purchases.after(reply, steering, sold);
      return null;
    }
    // Just sold, it is on no manifest.
    return { issued: sold.value, transmitted: false };
  }

  async function list(query: InList["Querystring"]): Promise<ShownShipment[]> {
    const { groupId: group, manifestId } = query;
    const found: ShownShipment[] = [];
    for (const state of labels.all()) {
      if (!hasPassed(state.ways.lag_seconds, state, clock.now())) continue;
      if (!isAskedFor(state, query)) continue;
      if (manifestId && manifests.of(state.label_id) !== labelId(manifestId)) continue;
      const each = await shown(state.label_id);
      const kept = each?.issued.facts.request.kept?.group_id;
      if (group !== undefined && (kept !== group || each?.transmitted)) continue;
      if (each) found.push(each);
    }
    return found;
  }

  /** Where it was transmitted, scanned or used it is not deleted: a refund is to be asked for. */
  async function remove(id: string, reply: FastifyReply): Promise<FastifyReply> {
    const each = await shown(labelId(id));
    if (!each) return nothingThere(reply);
    const { state } = each.issued;
    if (state.voided?.effective && !each.transmitted) return nothingThere(reply);
    const refusal = new Refusal(400, notVoidableCode, "Only what is not transmitted can be void.");
    if (each.transmitted || state.used) throw refusal;
    try {
      const { drop_response } = await labels.void(state.label_id, state);
      return drop_response ? faults.dropResponse(reply) : reply.code(204).send();
    } catch (error) {
      throw error instanceof Refusal && error.code === "label_scanned" ? refusal : error;
    }
  }

  async function refund(id: string, reply: FastifyReply): Promise<XmlOutput[] | null> {
    const each = await shown(labelId(id));
    if (!each) throw new Refusal(404, "label_not_found", "There is no such shipment.");
    const { state } = each.issued;
    if (state.voided) {
      throw new Refusal(409, refundRequestedCode, "A refund has already been requested.");
    }
    const { drop_response } = await labels.void(state.label_id, state);
    if (!drop_response) return ticketTexts(clock.now().toISOString(), state.label_id);
    faults.dropResponse(reply);
    return null;
  }

  return { buy, list, get: (id: string) => shown(labelId(id)), remove, refund };
}

function isAskedFor(
  { reference, tracking_code, bought_at }: Readonly<LabelState>,
  { requestId, trackingPIN, from, to }: InList["Querystring"],
): boolean {
  if (requestId !== undefined && reference !== requestId) return false;
  if (trackingPIN !== undefined && tracking_code !== trackingPIN) return false;
  return !from || !to || isWithin(bought_at, from, to);
}

/** From and to are minutes, `YYYYMMDDHHMM`. */
function isWithin(at: string, from: string, to: string): boolean {
  const minute = at.replaceAll(/\D/g, "").slice(0, 12);
  return minute >= from && minute <= to;
}
