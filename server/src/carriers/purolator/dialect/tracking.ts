import { all, textAt, xml, type XmlOutput } from "../../protocol/xml.ts";
import { withUse } from "../../simulator/events-of-use.ts";
import { Refusal } from "../../simulator/refusal.ts";
import type { WireTrackingEvent } from "../../simulator/wire.ts";
import { answer } from "./answers.ts";
import type { Answers, DialectCall } from "./purolator-dialect.ts";

/** Scans by PIN, and packages by the reference that they were shipped under. */
export const tracking: Answers = {
  TrackPackagesByPin: { dial: "tracking", answer: byPin },
  TrackPackagesByReference: { dial: "look_ups", answer: byReference },
};

async function byPin({ simulated: { labels }, request, reply }: DialectCall) {
  const list: XmlOutput[] = [];
  for (const pin of all(request, "PINs/PIN").map((each) => textAt(each, "Value") ?? "")) {
    const [known, booked] = [await labels.track(pin), await labels.peek({ tracking_code: pin })];
    if (!known || !booked) continue;
    const tracked = withUse(known, booked.state, eventsOfUse);
    list.push(information(pin, tracked.events, tracked.signed_by));
  }
  return answer(reply, "TrackPackagesByPinResponse", [xml("TrackingInformationList", list)]);
}

/** A parcel that Purolator has, although it was announced as void. */
const eventsOfUse = [{ code: "Other", text: "New tracking number assigned" }];

/** Finds a shipment by its reference. Like Purolator, answers an error where it has several packages. */
async function byReference({ simulated: { labels }, request, reply }: DialectCall) {
  const criteria = "TrackPackageByReferenceSearchCriteria";
  const label = await labels.find(textAt(request, `${criteria}/Reference`) ?? "");
  if (label && label.facts.package_tracking_codes.length > 1) {
    throw new Refusal(409, "2800002", "More than one PIN was found for the reference.");
  }
  const list = label ? [information(label.state.tracking_code, [], null)] : [];
  return answer(reply, "TrackPackagesByReferenceResponse", [xml("TrackingInformationList", list)]);
}

function information(
  pin: string,
  events: readonly WireTrackingEvent[],
  signed_by: string | null,
): XmlOutput {
  const scans = events.map((event, index) => scan(pin, event, index === 0 ? signed_by : null));
  return xml("TrackingInformation", [xml("PIN", [xml("Value", pin)]), xml("Scans", scans)]);
}

function scan(pin: string, event: WireTrackingEvent, signed_by: string | null): XmlOutput {
  const [date = "", time = ""] = event.local_time.split("T");
  const { city, province } = event;
  const depot = city ? `${city.toUpperCase()}, ${province === "QC" ? "PQ" : (province ?? "")}` : "";
  return xml("Scan", [
    xml("ScanType", event.code),
    xml("PIN", [xml("Value", pin)]),
    xml("Depot", [xml("Name", depot)]),
    xml("ScanDate", date),
    xml("ScanTime", time.replaceAll(":", "")),
    xml("Description", event.text),
    xml("Comment", ""),
    xml("SummaryScanIndicator", false),
    signed_by === null ? null : xml("ScanDetails", [xml("DeliverySignature", signed_by)]),
  ]);
}
