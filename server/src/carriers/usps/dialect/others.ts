import { createHash } from "node:crypto";
import type { FastifyPluginAsync } from "fastify";
import { steered } from "../../simulator/connection-faults.ts";
import type { SimulatedCarrierState } from "../../simulator/dialect.ts";
import { withUse } from "../../simulator/events-of-use.ts";
import { steeringOf } from "../../simulator/steering.ts";
import type { WireTrackingEvent } from "../../simulator/wire.ts";
import { inParts } from "./parts.ts";
import { invalid, UspsRefusal } from "./refusals.ts";
import { shapes } from "./wire.ts";

/** USPS's tracking, SCAN forms, addresses and post offices. */
export function otherRoutes(simulated: SimulatedCarrierState): FastifyPluginAsync {
  const { labels, manifests, faults } = simulated;
  return async (app) => {
    await app.register(trackingRoutes(simulated));

    const purchases = { config: { simulated_operation: "purchases" } } as const;
    app.post("/scan-forms/v3/scan-form", purchases, async ({ body }, reply) => {
      if (!shapes.scanForm.Check(body)) throw invalid("the form");
      const { trackingNumbers } = body.shipment;
      const { secondaryAddress: address2 = null } = body.fromAddress;
      const steering = steeringOf({ address2 }, "usps");
      if (await steered(steering, faults, reply)) return reply;
      if (steering.refuse) throw new UspsRefusal(400, "The form is refused (sim:refuse).");
      const label_ids: string[] = [];
      for (const number of trackingNumbers) {
        const booked = await labels.peek({ tracking_code: number });
        if (!booked || booked.state.voided) throw new UspsRefusal(400, `Label ${number} not found`);
        if (manifests.of(booked.state.label_id) !== null)
          throw new UspsRefusal(400, `Label ${number} is manifested already`);
        label_ids.push(booked.state.label_id);
      }
      const digits = createHash("sha256").update(trackingNumbers.join()).digest("hex");
      const manifestNumber = `9475${BigInt(`0x${digits.slice(0, 14)}`)}`
        .padEnd(22, "0")
        .slice(0, 22);
      await manifests.make(label_ids, { account: { account_id: "platform", environment: "test" } });
      if (steering.lost_answer) return faults.dropResponse(reply);
      return inParts(reply, formParts, { ...body, manifestNumber }, blankPage);
    });

    const quotes = { config: { simulated_operation: "quotes" } } as const;
    app.get("/addresses/v3/address", quotes, async ({ query }) => {
      const given = query as Record<string, string | undefined>;
      const { streetAddress, secondaryAddress, city, state, ZIPCode } = given;
      if (!streetAddress || !state) throw invalid("the address");
      if (/^unknown\b/i.test(streetAddress)) {
        throw new UspsRefusal(404, "The address requested could not be found.");
      }
      const upper = (text = "") => text.toUpperCase() || null;
      const address = { streetAddress: upper(streetAddress), city: upper(city), state, ZIPCode };
      return {
        address: { ...address, secondaryAddress: upper(secondaryAddress), ZIPPlus4: "0001" },
        additionalInfo: { DPVConfirmation: "Y", business: "N", vacant: "N" },
      };
    });

    app.get("/locations/v3/post-office-locations", quotes, async ({ query }) => {
      const { city = "", state, ZIPCode } = query as Record<string, string | undefined>;
      const office = (facilityID: string, facilityName: string, distance: number) => ({
        facilityID,
        facilityName,
        facilityAddress: { streetAddress: "1 MAIN ST", city: city.toUpperCase(), state, ZIPCode },
        distance,
      });
      return {
        locations: [office("1369089", "MAIN OFFICE", 0.2), office("1370135", "STATION A", 1.5)],
      };
    });
  };
}

/** By number: USPS has no other way. */
function trackingRoutes({ labels }: SimulatedCarrierState): FastifyPluginAsync {
  return async (app) => {
    const tracking = { config: { simulated_operation: "tracking" } } as const;
    app.get("/tracking/v3/tracking/:number", tracking, async ({ params }) => {
      const { number } = params as { number: string };
      const [known, booked] = [
        await labels.track(number),
        await labels.peek({ tracking_code: number }),
      ];
      if (!known || !booked) throw new UspsRefusal(404, "The tracking number could not be found.");
      const tracked = withUse(known, booked.state, eventsOfUse);
      return {
        trackingNumber: number,
        expectedDeliveryDate: tracked.estimated_delivery_date,
        statusSummary: tracked.events[0]?.text,
        trackingEvents: tracked.events.map((event, index) =>
          eventOf(event, index === 0 ? tracked.signed_by : null),
        ),
      };
    });
  };
}

/** A parcel that USPS has, and has not looked at yet. */
const eventsOfUse = [{ code: "TM", text: "Shipment Received, Package Acceptance Pending" }];

function eventOf(event: WireTrackingEvent, signedBy: string | null): object {
  const { code, text, local_time, utc_offset, city, province, country } = event;
  return {
    eventType: text,
    eventTimestamp: local_time,
    GMTTimestamp: new Date(`${local_time}${utc_offset}`).toISOString().replace(/\.\d+/, ""),
    GMTOffset: utc_offset,
    eventCountry: country === "US" ? null : country,
    eventCity: city,
    eventState: province,
    name: signedBy,
    eventCode: code,
  };
}

/** The part names of USPS's multipart answer, as recorded. */
const formParts = { metadata: "Scan Form Response", file: "label" };

/** A page without content stands for the form. */
const blankPage = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);
