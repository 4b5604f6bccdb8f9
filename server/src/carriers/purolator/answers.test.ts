import { expect, test } from "vitest";
import { answerOf, outcomeOf } from "../corpus/corpus-world.ts";
import { formatOf, fromDocuments } from "./documents.ts";
import { successOf } from "./errors.ts";
import { fromSchedulePickup } from "./pickups.ts";
import { fromCreateShipment } from "./shipments.ts";

const envelope = (name: string, content: string) =>
  answerOf({
    bytes: Buffer.from(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${name}>${content}</${name}></s:Body></s:Envelope>`,
    ),
  });

const error =
  "<ResponseInformation><Errors><Error><Code>1100500</Code><Description>It failed.</Description></Error></Errors></ResponseInformation>";
const pin = "<ShipmentPIN><Value>329014521622</Value></ShipmentPIN>";

test("a shipment with its number was sold, whatever error is beside it", () => {
  const result = successOf(
    envelope("CreateShipmentResponse", error + pin),
    "CreateShipmentResponse",
  );
  expect(fromCreateShipment(result)).toMatchObject({ pin: "329014521622" });
});

test.each(["", "<ShipmentPIN/>", "<ShipmentPIN><Value/></ShipmentPIN>"])(
  "an error without a number refuses the purchase: %s",
  (none) => {
    const answer = envelope("CreateShipmentResponse", error + none);
    const outcome = outcomeOf((given) => successOf(given, "CreateShipmentResponse"), answer);
    expect(outcome).toMatchObject({ failure: { kind: "refused", carrier_code: "1100500" } });
  },
);

test("a pickup with its number was scheduled, and what is void was voided, whatever error is beside it", () => {
  const pickup = `${error}<PickUpConfirmationNumber>01365863</PickUpConfirmationNumber>`;
  const scheduled = successOf(envelope("SchedulePickUpResponse", pickup), "SchedulePickUpResponse");
  expect(fromSchedulePickup(scheduled)).toBe("01365863");
  const voided = envelope("VoidShipmentResponse", `${error}<ShipmentVoided>true</ShipmentVoided>`);
  expect(outcomeOf((given) => successOf(given, "VoidShipmentResponse"), voided)).not.toHaveProperty(
    "failure",
  );
  const not = envelope("VoidShipmentResponse", `${error}<ShipmentVoided>false</ShipmentVoided>`);
  expect(outcomeOf((given) => successOf(given, "VoidShipmentResponse"), not)).toMatchObject({
    failure: { kind: "refused" },
  });
});

test.each([
  ["half of a file", Buffer.from("%PDF-1.4").toString("base64")],
  ["what is no base64", "%PDF-1.4 %%EOF"],
])("%s is no document yet, and the label stays sold", (_name, data) => {
  const detail = `<DocumentDetail><DocumentType>DomesticBillOfLading</DocumentType><DocumentStatus>Completed</DocumentStatus><Data>${data}</Data></DocumentDetail>`;
  const documents = `<Documents><Document><DocumentDetails>${detail}</DocumentDetails></Document></Documents>`;
  const read = outcomeOf(
    (answer) => {
      const found = fromDocuments(successOf(answer, "GetDocumentsResponse"));
      return found.map(({ content }) => Buffer.isBuffer(content) && formatOf(content));
    },
    envelope("GetDocumentsResponse", documents),
  );
  expect(read).toMatchObject({ failure: { kind: "unknown" } });
});
