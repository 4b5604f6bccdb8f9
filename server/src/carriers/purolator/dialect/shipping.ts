import { percentOf } from "../../../domain/values/money.ts";
import { decimalOf } from "../../protocol/amount.ts";
import { first, textAt, xml, type XmlElement, type XmlOutput } from "../../protocol/xml.ts";
import { steeringIn } from "../../protocol/steering-header.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import { freeReference } from "../../simulator/dialect.ts";
import { priceService } from "../../simulator/pricing/price.ts";
import { purchaseFaults } from "../../simulator/purchase-faults.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { priceRisePercent, steeringOf } from "../../simulator/steering.ts";
import type { WireRate } from "../../simulator/wire.ts";
import { answer, invalid } from "./answers.ts";
import { fromShipment, optionsIn, type AskedOption } from "./consignment.ts";
import type { Answers, DialectCall } from "./purolator-dialect.ts";

/** Estimates, purchases, returns, voids, and the end of the day. */
export const shipping: Answers = {
  GetFullEstimate: { dial: "quotes", answer: estimate },
  CreateShipment: { dial: "purchases", answer: (call) => buy(call, "Shipment") },
  CreateReturnsManagementShipment: {
    dial: "purchases",
    answer: (call) => buy(call, "ReturnsManagementShipment"),
  },
  VoidShipment: { dial: "voids", answer: voidShipment },
  Consolidate: { dial: null, answer: consolidate },
};

async function estimate({ simulated, request, reply }: DialectCall) {
  const shipment = shipmentIn(request, "Shipment");
  const wire = fromShipment(shipment, null);
  const { tariff, faults } = simulated;
  const steering = steeringOf(wire.recipient, tariff.carrier);
  if (await steered(steering, faults, reply)) return reply;
  if (steering.throttle) throw new Refusal(429, "rate_limited", "Too many calls (sim:throttle).");
  const all = textAt(request, "ShowAlternativeServicesIndicator") === "true";
  const asked = all ? tariff.services.map(({ code }) => code) : [wire.service_code];
  // The price that is confirmed before a purchase is of one service: that is when it has risen.
  const risePercent = steering.price_up && !all ? priceRisePercent : 0;
  const options = optionsIn(shipment);
  const estimates = steering.no_lane
    ? []
    : asked.flatMap((code) => {
        const priced = priceService(tariff, code, { ...wire, currency: "CAD" });
        return "rate" in priced
          ? estimateOf(priced.rate, { options, risePercent, ship_date: wire.ship_date })
          : [];
      });
  return answer(reply, "GetFullEstimateResponse", [xml("ShipmentEstimates", estimates)]);
}

/** None where the service lacks an option. */
function estimateOf(
  rate: WireRate,
  {
    options,
    risePercent,
    ship_date,
  }: { options: readonly AskedOption[]; risePercent: number; ship_date: string },
): XmlOutput[] {
  const extras = options.map(({ id, extra }) => ({
    id,
    price: rate.extras.find(({ code }) => code === extra),
  }));
  if (extras.some(({ price }) => price === undefined)) return [];
  const lines = [...rate.surcharges, ...extras.map(({ price }) => price!)];
  const sum = lines.reduce((total, { amount_cents }) => total + amount_cents, rate.base_cents);
  const rise = percentOf(sum, risePercent);
  return [
    xml("ShipmentEstimate", [
      xml("ServiceID", rate.service_code),
      xml("ShipmentDate", ship_date),
      xml("ExpectedDeliveryDate", rate.delivery_date),
      xml("EstimatedTransitDays", rate.transit_days),
      xml("BasePrice", decimalOf(rate.base_cents + rise)),
      xml(
        "Surcharges",
        rate.surcharges.map(({ code, name, amount_cents }) =>
          line("Surcharge", "Type", { code, name, amount_cents }),
        ),
      ),
      xml("Taxes", [
        line("Tax", "Type", { code: "HST", name: "HST", amount_cents: percentOf(sum, 13) }),
      ]),
      xml(
        "OptionPrices",
        extras.map(({ id, price }) =>
          line("OptionPrice", "ID", { code: id, name: id, amount_cents: price!.amount_cents }),
        ),
      ),
      xml("TotalPrice", decimalOf(sum + rise + percentOf(sum, 13))),
    ]),
  ];
}

function line(
  name: string,
  codeName: "Type" | "ID",
  { code, name: text, amount_cents }: { code: string; name: string; amount_cents: number },
): XmlOutput {
  return xml(name, [
    xml("Amount", decimalOf(amount_cents)),
    xml(codeName, code),
    xml("Description", text),
  ]);
}

function shipmentIn(request: XmlElement, name: string): XmlElement {
  const shipment = first(request, name);
  if (shipment) return shipment;
  throw invalid(name, "It is required.");
}

async function buy({ simulated, request, message, reply, operation }: DialectCall, name: string) {
  const shipment = shipmentIn(request, name);
  const wire = fromShipment(shipment, textAt(request, "PrinterType"));
  if (!wire.reference) throw invalid("Reference1", "It is required here.");
  const { labels, tariff, faults, clock } = simulated;
  const steering = steeringOf(wire.recipient, tariff.carrier);
  const purchases = purchaseFaults(faults);
  // Its credentials do not expire.
  purchases.before({ ...steering, token_expired: false }, wire.reference);
  // A reference is no key: it is sold under it again, and the journal shows it.
  const reference = await freeReference(labels, wire.reference);
  const account_id = textAt(shipment, "TrackingReferenceInformation/Reference4") ?? "platform";
  const sold = await labels.buy(
    { ...wire, reference },
    {
      account: { account_id, environment: "test" },
      tooLate: () => clock.now().getTime() - message.arrived_at > commitDeadlineMs,
    },
  );
  if (sold.drop_response || steering.empty_ok) return purchases.after(reply, steering, sold);
  const { tracking_code } = sold.value.state;
  const { package_tracking_codes } = sold.value.facts;
  return answer(reply, `${operation}Response`, [
    xml("ShipmentPIN", [xml("Value", tracking_code)]),
    xml(
      "PiecePINs",
      package_tracking_codes.map((code) => xml("PIN", [xml("Value", code)])),
    ),
  ]);
}

async function voidShipment({ simulated, request, reply }: DialectCall) {
  const { labels, manifests, faults, clock } = simulated;
  const known = await labels.peek({ tracking_code: textAt(request, "PIN/Value") ?? "" });
  if (!known) throw new Refusal(404, "pin_unknown", "There is no shipment with this PIN.");
  const { state } = known;
  if (state.voided) throw new Refusal(409, "voided", "The shipment has already been voided.");
  const today = clock.now().toISOString().slice(0, 10);
  if (state.bought_at.slice(0, 10) !== today || manifests.of(state.label_id) !== null) {
    throw new Refusal(409, "1100429", "You can only cancel shipments created today.");
  }
  const { drop_response } = await labels.void(state.label_id, state);
  if (drop_response) return faults.dropResponse(reply);
  return answer(reply, "VoidShipmentResponse", [xml("ShipmentVoided", true)]);
}

async function consolidate({ simulated, message, reply }: DialectCall) {
  const { labels, manifests, tariff, faults } = simulated;
  const steering = steeringOf({ address2: steeringIn(message) }, tariff.carrier);
  if (await steered(steering, faults, reply)) return reply;
  if (steering.refuse) throw new Refusal(400, "3001009", "Nothing is consolidated (sim:refuse).");
  const open = [...labels.all()].filter(
    ({ label_id, voided }) => voided === null && manifests.of(label_id) === null,
  );
  if (open.length > 0) {
    const account = { account_id: "platform", environment: "test" };
    await manifests.make(
      open.map(({ label_id }) => label_id),
      { account },
    );
  }
  if (steering.lost_answer) return faults.dropResponse(reply);
  return answer(reply, "ConsolidateResponse", [xml("Consolidate", true)]);
}
