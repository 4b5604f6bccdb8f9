import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Address } from "../../../domain/addresses/address.ts";
import { steeringIn } from "../../protocol/steering-header.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { pickupFee } from "../../simulator/pickups/pickup-book.ts";
import type { WireListedPickup, WirePickupRequest } from "../../simulator/pickups/wire.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { decimalOf } from "../../protocol/amount.ts";
import { textAt, xml, type XmlElement, type XmlOutput } from "../../protocol/xml.ts";
import { pickupAvailabilityMediaType, pickupMediaType } from "../pickups.ts";
import { answer, baseOf, documentIn, invalid, link, nothingThere } from "./answers.ts";
import { anyPrice } from "./consignment.ts";

const code = "canada_post";
const namespace = { xmlns: "http://www.canadapost.ca/ws/pickuprequest" };
const pickups = { config: { simulated_operation: "pickups" } } as const;
const lookUps = { config: { simulated_operation: "look_ups" } } as const;

interface InPickup {
  Params: { customer: string; id: string };
}

/** Pickups on demand: availability, price, request, list, details, cancellation. */
export const pickupRoutes =
  (simulated: SimulatedCarrierState): FastifyPluginAsync =>
  async (app) => {
    const { pickups: book, faults } = simulated;
    offers(app);
    requests(app, simulated);

    app.get<InPickup>("/enab/:customer/pickuprequest", lookUps, async (request, reply) => {
      const base = `${baseOf(request)}/enab/${request.params.customer}/pickuprequest`;
      const entries = (await book.recent()).map(({ confirmation_number: number, cancelled }) =>
        xml("pickup-request", [
          header(number, cancelled ? "Cancelled" : "Active"),
          xml("links", [link("details", `${base}/${number}/details`, pickupMediaType)]),
        ]),
      );
      return answer(reply, xml("pickup-requests", entries, namespace), pickupMediaType);
    });

    app.get<InPickup>(
      "/enab/:customer/pickuprequest/:id/details",
      lookUps,
      async (request, reply) => {
        const pickup = await book.byNumber(request.params.id);
        if (!pickup) return nothingThere(reply);
        return answer(reply, details(pickup), pickupMediaType);
      },
    );

    app.delete<InPickup>("/enab/:customer/pickuprequest/:id", pickups, async (request, reply) => {
      const pickup = await book.byNumber(request.params.id);
      if (!pickup) throw new Refusal(404, "pickup_not_found", "There is no such pickup request.");
      if (pickup.cancelled) throw new Refusal(400, "pickup_cancelled", "The request is cancelled.");
      const { drop_response } = await book.cancel(pickup.pickup_id, pickup.reference);
      return drop_response ? faults.dropResponse(reply) : reply.code(200).send();
    });
  };

/** What is asked for before a request. */
function offers(app: FastifyInstance): void {
  app.get<{ Params: { postal_code: string } }>(
    "/ad/pickup/pickupavailability/:postal_code",
    pickups,
    async (request, reply) => {
      // A failure that is asked for is one of the request itself: of this call it would prove that no driver was sent.
      const steering = steeringOf({ address2: steeringIn(request) }, code);
      const root = xml("pickup-availability", [
        xml("postal-code", request.params.postal_code),
        xml("on-demand-cutoff", "16:00"),
        xml("on-demand-tour", !steering.no_lane),
        xml("prority-world-cutoff", "14:00"),
        xml("scheduled-pickups-available", true),
      ]);
      return answer(reply, root, pickupAvailabilityMediaType);
    },
  );

  app.post<InPickup>("/enab/:customer/pickuprequest/price", lookUps, async (request, reply) => {
    documentIn(request, "pickup-details");
    const fee = decimalOf(pickupFee(code, { address2: steeringIn(request) }, "CAD"));
    const root = [xml("pre-tax-amount", fee), xml("due-amount", fee)];
    return answer(reply, xml("pickup-request-price", root, namespace), pickupMediaType);
  });
}

function requests(
  app: FastifyInstance,
  { pickups: book, faults, clock }: SimulatedCarrierState,
): void {
  app.post<InPickup>("/enab/:customer/pickuprequest", pickups, async (request, reply) => {
    const wire = fromPickupRequest(
      documentIn(request, "pickup-request-details"),
      steeringIn(request),
    );
    if (await steered(steeringOf(wire.address, code), faults, reply)) return reply;
    const { value, drop_response } = await book.schedule(wire, {
      account: { account_id: "platform", environment: "test" },
      tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
    });
    if (drop_response) return faults.dropResponse(reply);
    const number = value.confirmation_number;
    const fee = decimalOf(value.fee_cents);
    const self = `${baseOf(request)}/enab/${request.params.customer}/pickuprequest/${number}`;
    const root = xml(
      "pickup-request-info",
      [
        header(number, "Active"),
        xml("pickup-request-price", [xml("pre-tax-amount", fee), xml("due-amount", fee)]),
        xml("links", [
          link("self", self, pickupMediaType),
          link("details", `${self}/details`, pickupMediaType),
        ]),
      ],
      namespace,
    );
    return answer(reply, root, pickupMediaType);
  });
}

function header(number: string, status: string): XmlOutput {
  return xml("pickup-request-header", [
    xml("request-id", number),
    xml("request-status", status),
    xml("pickup-type", "OnDemand"),
  ]);
}

function details(pickup: WireListedPickup): XmlOutput {
  const { address, contact, instructions, date, ready_time, close_time } = pickup;
  return xml(
    "pickup-request-detailed-info",
    [
      header(pickup.confirmation_number, pickup.cancelled ? "Cancelled" : "Active"),
      xml("pickup-request-details", [
        xml("pickup-location", [
          xml("business-address-flag", false),
          xml("alternate-address", [
            xml("company", address.company ?? ""),
            xml("address-line-1", address.address1),
            xml("city", address.city),
            xml("province", address.province_code ?? ""),
            xml("postal-code", (address.postal_code ?? "").replaceAll(" ", "")),
          ]),
        ]),
        xml("contact-info", [
          xml("contact-name", contact.name ?? ""),
          xml("contact-phone", contact.phone ?? ""),
        ]),
        xml("location-details", [xml("pickup-instructions", instructions ?? "")]),
        xml("pickup-volume", "1"),
        xml("pickup-times", [
          xml("on-demand-pickup-time", [
            xml("date", date),
            xml("preferred-time", ready_time),
            xml("closing-time", close_time),
          ]),
        ]),
      ]),
    ],
    namespace,
  );
}

function fromPickupRequest(root: XmlElement, steering: string | null): WirePickupRequest {
  const text = (path: string) => textAt(root, path);
  const place = (name: string) => text(`pickup-location/alternate-address/${name}`);
  const time = (name: string) => text(`pickup-times/on-demand-pickup-time/${name}`);
  const reference = text("customer-request-id");
  const [date, ready_time, close_time] = [
    time("date"),
    time("preferred-time"),
    time("closing-time"),
  ];
  if (!reference || !date || !ready_time || !close_time || !text("contact-info/email")) {
    throw invalid("cvc-complex-type.2.4.b: The content of the element is not complete.");
  }
  const address: Address = {
    name: null,
    company: place("company"),
    address1: place("address-line-1") ?? "",
    address2: steering,
    city: place("city") ?? "",
    province_code: place("province"),
    postal_code: place("postal-code")?.replace(/^(.{3})(.{3})$/, "$1 $2") ?? null,
    country_code: "CA",
    phone: null,
    email: null,
    is_residential: false,
    tax_identifier: null,
  };
  return {
    address,
    contact: {
      name: text("contact-info/contact-name"),
      phone: text("contact-info/contact-phone"),
      email: text("contact-info/email"),
    },
    date,
    ready_time,
    close_time,
    instructions: text("location-details/pickup-instructions"),
    tracking_codes: [],
    reference,
    package_count: Number(text("pickup-volume")) || 1,
    weight_grams: 1,
    expected_fee: anyPrice,
  };
}
