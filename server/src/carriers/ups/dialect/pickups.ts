import type { FastifyPluginAsync } from "fastify";
import type { Address } from "../../../domain/addresses/address.ts";
import { toGrams } from "../../../domain/goods/units.ts";
import { decimalOf } from "../../protocol/amount.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { anyPrice, type SimulatedCarrierState } from "../../simulator/dialect.ts";
import type { WirePickupRequest } from "../../simulator/pickups/wire.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { readDay } from "./read-shipment.ts";
import { invalid, succeeded, UpsRefusal } from "./refusals.ts";
import { shapes, type WirePickup } from "./wire.ts";

/** UPS's request of a pickup on call. */
export function pickupRoutes(simulated: SimulatedCarrierState): FastifyPluginAsync {
  const { pickups, faults, clock } = simulated;
  return async (app) => {
    app.post(
      "/api/pickupcreation/:version/pickup",
      { config: { simulated_operation: "pickups" } },
      async (request, reply) => {
        if (!shapes.pickup.Check(request.body)) throw invalid("PickupCreationRequest");
        const wanted = request.body.PickupCreationRequest;
        const asked = readPickup(wanted);
        const steering = steeringOf(asked.address, "ups");
        if (await steered(steering, faults, reply)) return reply;
        const reference = await freePickupReference(asked.reference);
        const { value, drop_response } = await pickups.schedule(
          { ...asked, reference },
          {
            account: { account_id: wanted.Shipper.Account.AccountNumber, environment: "test" },
            tooLate: () => clock.now().getTime() - request.arrived_at > commitDeadlineMs,
          },
        );
        if (drop_response) return faults.dropResponse(reply);
        return {
          PickupCreationResponse: {
            Response: succeeded,
            PRN: value.confirmation_number,
            RateStatus: { Code: "01", Description: "Rate available" },
            RateResult: {
              RateType: "SD",
              CurrencyCode: value.currency,
              GrandTotalOfAllCharge: decimalOf(value.fee_cents),
            },
          },
        };
      },
    );
  };

  /** UPS takes a second pickup under one reference, too. */
  async function freePickupReference(reference: string): Promise<string> {
    let free = reference;
    for (let time = 2; await pickups.find(free); time += 1) free = `${reference}~${time}`;
    return free;
  }
}

/** Its list of those that are to come, and the end of one. */
export function openPickupRoutes({ pickups, faults }: SimulatedCarrierState): FastifyPluginAsync {
  /** Numbers whose pickups are cancelled: UPS knows them still. */
  const cancelled = new Set<string>();
  return async (app) => {
    app.get(
      "/api/shipments/:version/pickup/:type",
      { config: { simulated_operation: "look_ups" } },
      async () => {
        // UPS's own ends with tomorrow; here a pickup of any day whose answer was lost is found.
        const PendingStatus = (await pickups.pending()).map((each) => ({
          PickupType: "01",
          ServiceDate: each.date.replaceAll("-", ""),
          PRN: each.confirmation_number,
          OnCallStatusCode: "001",
          PickupStatusMessage: "Received at dispatch center",
          ReferenceNumber: each.reference,
        }));
        if (PendingStatus.length === 0) {
          throw new UpsRefusal(404, "9510113", "There is no pickup pending for this account.");
        }
        return { PickupPendingStatusResponse: { Response: succeeded, PendingStatus } };
      },
    );

    app.delete(
      "/api/shipments/:version/pickup/02",
      { config: { simulated_operation: "pickups" } },
      async ({ headers }, reply) => {
        const prn = String(headers.prn ?? "");
        const open = await pickups.pending();
        const under = open.filter((each) => each.confirmation_number === prn);
        if (under.length === 0) {
          if (!cancelled.has(prn)) throw new UpsRefusal(400, "9510117", "There is no such pickup.");
          throw new UpsRefusal(400, "9510116", "The pickup was cancelled already.");
        }
        const { pickup_id, reference } = under[0]!;
        const { drop_response } = await pickups.cancel(pickup_id, reference);
        cancelled.add(prn);
        if (drop_response) return faults.dropResponse(reply);
        return { PickupCancelResponse: { Response: succeeded, PickupType: "01" } };
      },
    );
  };
}

function readPickup(wanted: WirePickup): WirePickupRequest {
  const { PickupAddress, PickupDateInfo, PickupPiece, TotalWeight, ReferenceNumber } = wanted;
  const time = (text: string) => `${text.slice(0, 2)}:${text.slice(2)}`;
  const currency = wanted.Shipper.Account.AccountCountryCode === "CA" ? "CAD" : "USD";
  const unit = TotalWeight.UnitOfMeasurement === "LBS" ? "lbs" : "kg";
  return {
    reference: ReferenceNumber,
    address: readAddress(PickupAddress),
    contact: { name: PickupAddress.ContactName, phone: PickupAddress.Phone.Number, email: null },
    date: readDay(PickupDateInfo.PickupDate),
    ready_time: time(PickupDateInfo.ReadyTime),
    close_time: time(PickupDateInfo.CloseTime),
    instructions: wanted.SpecialInstruction ?? null,
    tracking_codes: [ReferenceNumber],
    package_count: PickupPiece.reduce((sum, { Quantity }) => sum + Number(Quantity), 0),
    weight_grams: toGrams(Number(TotalWeight.Weight), unit),
    expected_fee: { amount_cents: anyPrice, currency },
  };
}

function readAddress(place: WirePickup["PickupAddress"]): Address {
  const [street = "", ...more] = place.AddressLine[0]!.split(", ");
  return {
    name: place.ContactName,
    company: place.CompanyName,
    address1: street,
    address2: more.join(", ") || null,
    city: place.City,
    province_code: place.StateProvince ?? null,
    postal_code: place.PostalCode ?? null,
    country_code: place.CountryCode,
    phone: place.Phone.Number,
    email: null,
    is_residential: place.ResidentialIndicator === "Y",
    tax_identifier: null,
  };
}
