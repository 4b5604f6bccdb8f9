import { first, textAt, xml, type XmlElement } from "../../protocol/xml.ts";
import { commitDeadlineMs } from "../../simulator/caller.ts";
import { steered } from "../../simulator/connection-faults.ts";
import type { WireListedPickup, WirePickupRequest } from "../../simulator/pickups/wire.ts";
import { Refusal } from "../../simulator/refusal.ts";
import { steeringOf } from "../../simulator/steering.ts";
import { answer, invalid } from "./answers.ts";
import { fromAddress } from "./consignment.ts";
import type { Answers, DialectCall } from "./purolator-dialect.ts";

/** Pickups: requested, cancelled by number, and the history of a day. */
export const pickups: Answers = {
  SchedulePickUp: { dial: "pickups", answer: schedule },
  VoidPickUp: { dial: "pickups", answer: cancel },
  GetPickUpHistory: { dial: "look_ups", answer: history },
};

async function schedule({ simulated, request, message, reply }: DialectCall) {
  const { pickups: book, tariff, faults, clock } = simulated;
  const wire = fromRequest(request);
  if (await steered(steeringOf(wire.address, tariff.carrier), faults, reply)) return reply;
  const { value, drop_response } = await book.schedule(wire, {
    account: { account_id: "platform", environment: "test" },
    tooLate: () => clock.now().getTime() - message.arrived_at > commitDeadlineMs,
  });
  if (drop_response) return faults.dropResponse(reply);
  return answer(reply, "SchedulePickUpResponse", [
    xml("PickUpConfirmationNumber", value.confirmation_number),
  ]);
}

/** Our reference is no field of the request: the instructions end with it. */
function fromRequest(request: XmlElement): WirePickupRequest {
  const instruction = (name: string) => textAt(request, `PickupInstruction/${name}`);
  const [date, ready, close] = ["Date", "AnyTimeAfter", "UntilTime"].map(instruction);
  const address = first(request, "Address");
  const instructions = instruction("AdditionalInstructions");
  if (!date || !ready || !close || !address) {
    throw invalid("PickupInstruction", "The day, the hours and the address are required.");
  }
  const clock = (time: string) => `${time.slice(0, 2)}:${time.slice(2, 4)}`;
  const of = fromAddress(address);
  return {
    address: of,
    contact: { name: of.name, phone: of.phone, email: null },
    date,
    ready_time: clock(ready),
    close_time: clock(close),
    instructions,
    tracking_codes: [],
    reference: referenceIn(instructions ?? "") ?? `${date} ${ready}`,
    package_count: Number(instruction("TotalPieces")) || 1,
    weight_grams: 1,
    expected_fee: { amount_cents: 0, currency: "CAD" },
  };
}

async function cancel({ simulated, request, reply }: DialectCall) {
  const { pickups: book, faults } = simulated;
  const pickup = await book.byNumber(textAt(request, "PickUpConfirmationNumber") ?? "");
  if (!pickup) throw new Refusal(404, "pickup_unknown", "There is no pickup with this number.");
  if (pickup.cancelled) throw new Refusal(409, "pickup_voided", "The pickup is void.");
  const { drop_response } = await book.cancel(pickup.pickup_id, pickup.reference);
  if (drop_response) return faults.dropResponse(reply);
  return answer(reply, "VoidPickUpResponse", [xml("PickUpVoided", true)]);
}

async function history({ simulated, request, reply }: DialectCall) {
  const criteria = (name: string) => textAt(request, `PickUpHistorySearchCriteria/${name}`) ?? "";
  const [from, to] = [criteria("FromDate"), criteria("ToDate")];
  const all = await simulated.pickups.recent();
  const details = all.filter(({ date }) => date >= from && date <= to).map(detail);
  return answer(reply, "GetPickUpHistoryResponse", [xml("PickUpDetailList", details)]);
}

function detail(pickup: WireListedPickup) {
  return xml("PickUpDetail", [
    xml("ConfirmationNumber", pickup.confirmation_number),
    xml("PickupStatus", pickup.cancelled ? "Cancelled" : "Scheduled"),
    xml("PickupType", "Regular"),
    xml("PickupInstruction", [
      xml("Date", pickup.date),
      xml("AnyTimeAfter", pickup.ready_time.replace(":", "")),
      xml("UntilTime", pickup.close_time.replace(":", "")),
      xml("AdditionalInstructions", pickup.instructions ?? ""),
    ]),
  ]);
}

/** What the instructions end with in brackets: the adapter's reference. */
function referenceIn(instructions: string): string | null {
  if (!instructions.endsWith("]")) return null;
  return instructions.slice(instructions.lastIndexOf("[") + 1, -1) || null;
}
