import {
  CarrierError,
  type Carrier,
  type CarrierLabel,
  type CarrierRate,
  type CarrierRefund,
  type CarrierVoid,
  type FreightService,
  type LabelRequest,
} from "../src/carriers/carrier.ts";
import { carrierRegister, createCarriers, type CarrierRegister } from "../src/carriers/register.ts";
import { accessorials, accessorialsOf } from "../src/domain/goods/freight.ts";

/**
 * An in-process freight carrier: it stores its bookings, and behaves as the test sets. The simulated
 * carriers behind real HTTP have itineraries of their own.
 */
interface FakeFreight extends Carrier {
  bookings: Map<string, Booked>;
  /** The faults of the next calls; each is used once. */
  next: Trouble[];
  fee_cents: number;
  /** The price of a quote. */
  price_cents: number;
}

interface Booked {
  request: LabelRequest;
  sold: CarrierLabel;
  refund: CarrierRefund;
  cancellation?: NonNullable<CarrierVoid["cancellation"]>;
}

/** Where the carrier commits and its response is lost, and where it refuses. */
export type Trouble =
  "booking_lost" | "booking_refused" | "cancel_lost" | "picked_up" | "no_numbers";

const service: FreightService = {
  code: "ox_freight.standard",
  postage_type_id: 99_001,
  carrier_service_code: "STD",
  name: "Ox Freight Standard",
  origins: ["CA", "US"],
  destinations: ["CA", "US"],
  reach: "any",
  add_ons: [],
  trackable: true,
  pickup_supported: false,
  max_units: 20,
  max_unit_weight_grams: 1_500_000,
  max_total_weight_grams: 8_000_000,
  max_length_cm: 400,
  max_height_cm: 240,
  accessorials: accessorials.filter((code) => code !== "hazmat" && code !== "inside_delivery"),
};

export function fakeFreight(code = "ox_freight"): FakeFreight {
  const services = [
    { ...service, code: `${code}.standard` },
    { ...service, code: `${code}.heavy`, postage_type_id: 99_002, accessorials },
  ];
  const bookings: FakeFreight["bookings"] = new Map();
  const fake: FakeFreight = {
    descriptor: {
      mode: "ltl",
      code,
      name: "Ox Freight",
      scac: "OXFR",
      lookUp: { by: "reference", absence: "proof", after_seconds: 1 },
      voids: { kind: "api", until: "scan" },
      confirms_price: "in_call",
      evidence: "simulated",
      manifest: "none",
      listsLabels: true,
      purchaseTimeoutSeconds: 10,
      trackingUrl: (pro) => `https://ox.example/${pro}`,
      trackingEvents: {},
      services,
    },
    bookings,
    next: [],
    fee_cents: 2500,
    price_cents: 40_000,

    async quote({ shipment, services: asked }) {
      const freight = shipment.freight!;
      const surcharges = accessorialsOf(freight).map((each) => ({
        code: each,
        name: each,
        amount_cents: 1000,
      }));
      const rates = asked.map((each, index): CarrierRate => ({
        service: each.code,
        currency: "CAD",
        base_cents: fake.price_cents + index * 5000,
        surcharges,
        add_ons: [],
        estimated_delivery_days: 4 - index,
        estimated_delivery_date: null,
        billable_weight: { value: 1240, unit: "lbs", basis: "actual" },
        zone: null,
        freight: { quote_number: `Q-${each.code}`, accessorials: accessorialsOf(freight) },
      }));
      return { rates, unavailable: [] };
    },

    async buyLabel(request) {
      if (take(fake, "booking_refused"))
        throw no(code, "no_capacity", "There is no room on the truck.");
      const number = String(bookings.size + 1).padStart(6, "0");
      const booking = {
        confirmation_number: `OX-C-${number}`,
        bol_number: `OXB${number}`,
        pro_number: take(fake, "no_numbers") ? null : `77${number}`,
      };
      bookings.set(request.reference, {
        request,
        sold: {
          carrier_label_id: `ox_${number}`,
          tracking_code: booking.pro_number ?? booking.confirmation_number,
          package_tracking_codes: [],
          cost: request.expected_cost,
          files: [],
          carrier_data: null,
          booking,
        },
        refund: "none",
      });
      if (take(fake, "booking_lost")) throw new Error("the answer was lost");
      return bookings.get(request.reference)!.sold;
    },

    async lookUpLabel({ reference }) {
      const booked = bookings.get(reference);
      if (!booked) return null;
      const { sold, cancellation } = booked;
      const state = cancellation ? "voided" : "live";
      return { ...sold, files: [], state, ...(cancellation && { cancellation }) };
    },

    fetchFiles: async () => [],

    refundState: async ({ reference }) => bookings.get(reference)?.refund ?? "none",

    track: async () => null,

    listLabels: async () => ({ labels: [], next_cursor: null }),

    async voidLabel({ reference }) {
      const booking = bookings.get(reference)!;
      if (take(fake, "picked_up")) throw no(code, "picked_up", "The freight is on its way.");
      const cancellation = {
        carrier_confirmation: `X-${booking.sold.carrier_label_id}`,
        fee_cents: fake.fee_cents,
      };
      bookings.set(reference, { ...booking, refund: "approved", cancellation });
      if (take(fake, "cancel_lost")) throw new Error("the answer was lost");
      return { refund: "approved", cancellation };
    },
  };
  return fake;
}

function take(fake: FakeFreight, trouble: Trouble): boolean {
  const place = fake.next.indexOf(trouble);
  if (place >= 0) fake.next.splice(place, 1);
  return place >= 0;
}

function no(carrier: string, carrier_code: string, message: string): CarrierError {
  return new CarrierError({ kind: "refused", carrier, carrier_code, message });
}

/** The catalogue's couriers, and this carrier. */
export function besides(fake: Carrier): (simulator_url: string) => CarrierRegister {
  return (simulator_url) => {
    const couriers = createCarriers({ simulator_url }).all.filter(
      ({ descriptor }) => descriptor.mode === "courier",
    );
    return carrierRegister([...couriers, fake]);
  };
}
