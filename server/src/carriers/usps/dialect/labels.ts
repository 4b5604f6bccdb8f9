import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { TypeID } from "typeid-js";
import { fromCents } from "../../../domain/values/money.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { hasPassed } from "../../simulator/label-facts.ts";
import type { BookedLabel } from "../../simulator/label-book.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { printLabel } from "../../simulator/print-label.ts";
import { steeringOf } from "../../simulator/steering.ts";
import type { LabelFacts } from "../../simulator/label-facts.ts";
import { textIn, valueIn } from "../../protocol/json.ts";
import { inParts } from "./parts.ts";
import { codeOfExtra, readAddress, readLabel } from "./read-label.ts";
import { invalid, refusalCodes, UspsRefusal } from "./refusals.ts";
import type { IssuedTokens } from "./tokens.ts";
import { shapes } from "./wire.ts";

/** USPS's labels: sold once under a key, and answered again to the same one. */
export function labelRoutes(
  simulated: SimulatedCarrierState,
  tokens: IssuedTokens,
): FastifyPluginAsync {
  const { labels, faults, clock } = simulated;

  async function sell(request: FastifyRequest, reply: FastifyReply) {
    const crid = tokens.payerOf(request);
    const { body } = request;
    if (!shapes.label.Check(body)) throw invalid("the label");
    const reference = referenceOf(request);
    const steering = steeringOf(readAddress(body.toAddress), "usps");
    if (steering.throttle) throw new UspsRefusal(429, "Too many requests.");
    if (steering.token_expired && tokens.expireOnce(reference)) {
      throw new UspsRefusal(401, "Invalid access token.");
    }
    const present = await labels.peek({ reference });
    if (present) return answerWith(reply, present);
    if (steering.refuse_in_ok) {
      const error = { code: "400", message: "Bad Request", errors: [{ detail: "No (sim)." }] };
      return reply.code(200).send({ apiVersion: "/labels/v3", error });
    }
    const day = clock.now().toISOString().slice(0, 10);
    const { value, drop_response } = await labels.buy(readLabel(body, { reference, day }), {
      account: { account_id: crid, environment: "test" },
      tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
    });
    if (drop_response) return faults.dropResponse(reply);
    if (steering.empty_ok) return reply.code(200).send();
    return answerWith(reply, value);
  }

  async function answerWith(reply: FastifyReply, { facts, state }: BookedLabel) {
    const { late_price, late_file_seconds } = state.ways;
    const isThere = hasPassed(late_file_seconds, state, clock.now());
    const image = isThere ? await drawn(simulated, facts, facts.request.label.format) : null;
    return inParts(reply, labelParts, metadataOf(simulated, facts, late_price), image);
  }

  return async (app) => {
    const config = { simulated_operation: "purchases" } as const;
    app.post("/labels/v3/label", { config }, sell);
    app.post("/labels/v3/return-label", { config }, sell);
    app.post("/international-labels/v3/international-label", { config }, sell);
  };
}

/** The reference in the key: the journal has ours, and not USPS's form of it. */
function referenceOf({ headers }: FastifyRequest): string {
  const key = String(headers["x-idempotency-key"] ?? "");
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) throw invalid("X-Idempotency-Key");
  return TypeID.fromUUID("att", key).toString();
}

function metadataOf(
  { tariff }: SimulatedCarrierState,
  facts: LabelFacts,
  hidesPrice: boolean,
): object {
  const { request, service_code, currency, amount_cents, package_tracking_codes } = facts;
  const priced = priceService(tariff, service_code, { ...request, currency });
  const rate = "rate" in priced ? priced.rate : null;
  const chosen = rate?.extras.filter(({ code }) => request.extras.includes(code)) ?? [];
  const fees = rate?.surcharges ?? [];
  const apart = [...chosen, ...fees].reduce((sum, each) => sum + each.amount_cents, 0);
  return {
    labelAddress: { city: request.recipient.city, ZIPCode: request.recipient.postal_code },
    trackingNumber: package_tracking_codes[0],
    ...(hidesPrice ? {} : { postage: fromCents(amount_cents - apart) }),
    extraServices: chosen.map(({ code, amount_cents: cents }) => ({
      name: code,
      SKU: codeOfExtra(code),
      price: fromCents(cents),
    })),
    fees: fees.map(({ code, name, amount_cents: cents }) => ({
      name,
      SKU: code,
      price: fromCents(cents),
    })),
    zone: facts.zone.slice(0, 2),
    weightUOM: "LB",
  };
}

function drawn(simulated: SimulatedCarrierState, facts: LabelFacts, format: "pdf" | "png" | "zpl") {
  return printLabel(simulated, { request: facts.request, facts }, { format, size: "4x6" });
}

const labelParts = { metadata: "labelMetadata", file: "labelImage" };

const formats: Readonly<Record<string, "pdf" | "png" | "zpl">> = {
  PDF: "pdf",
  PNG: "png",
  ZPL203DPI: "zpl",
};
const reprintsMost = 3;

/** Labels that are printed again, three times at most, and cancelled. */
export function reprintRoutes(
  simulated: SimulatedCarrierState,
  tokens: IssuedTokens,
): FastifyPluginAsync {
  const { labels, faults, clock } = simulated;
  const reprints = new Map<string, number>();

  async function reprint(request: FastifyRequest, reply: FastifyReply) {
    const crid = tokens.payerOf(request);
    const { number } = request.params as { number?: string };
    const by = number ? { tracking_code: number } : { reference: referenceOf(request) };
    const booked = await labels.peek(by);
    const { state, facts } = booked ?? {};
    const isShown = state && (number || hasPassed(state.ways.lag_seconds, state, clock.now()));
    if (!state || !isShown || facts!.account_id !== crid) {
      throw new UspsRefusal(400, "The label is not found", refusalCodes.label_not_found);
    }
    if (state.voided?.effective)
      throw new UspsRefusal(
        400,
        "A canceled label is not printed again",
        refusalCodes.label_cancelled,
      );
    if (!hasPassed(state.ways.late_file_seconds, state, clock.now())) {
      throw new UspsRefusal(400, "The image is not available yet");
    }
    const printed = (reprints.get(state.label_id) ?? 0) + 1;
    if (printed > reprintsMost) throw new UspsRefusal(400, "The limit of reprints is reached");
    reprints.set(state.label_id, printed);
    const format =
      formats[textIn(valueIn(request.body, "imageInfo"), "imageType") ?? "PDF"] ?? "pdf";
    const image = await drawn(simulated, facts!, format);
    const metadata = metadataOf(simulated, facts!, state.ways.late_price);
    return inParts(reply, labelParts, metadata, image);
  }

  async function cancel(request: FastifyRequest, reply: FastifyReply) {
    tokens.payerOf(request);
    const { number } = request.params as { number?: string };
    const by = number ? { tracking_code: number } : { reference: referenceOf(request) };
    const booked = await labels.peek(by);
    if (!booked) throw new UspsRefusal(400, "Order not found", refusalCodes.order_not_found);
    const { label_id, reference, tracking_code, voided } = booked.state;
    if (voided) {
      const again = "A refund request for this order has already been submitted today";
      throw new UspsRefusal(400, again);
    }
    const { drop_response } = await labels.void(label_id, { reference, tracking_code });
    if (drop_response) return faults.dropResponse(reply);
    return { trackingNumber: tracking_code, status: "DISPUTED", disputeId: "103789" };
  }

  return async (app) => {
    const lookUps = { config: { simulated_operation: "look_ups" } } as const;
    const voids = { config: { simulated_operation: "voids" } } as const;
    for (const path of ["/labels/v3/label", "/international-labels/v3/international-label"]) {
      app.post(`${path}-reprint`, lookUps, reprint);
      app.post(`${path}-reprint/:number`, lookUps, reprint);
      app.delete(path, voids, cancel);
      app.delete(`${path}/:number`, voids, cancel);
    }
  };
}
