import { describe, expect, test } from "vitest";
import { newId } from "../domain/values/ids.ts";
import type { ManifestRequest, SentManifest } from "./capabilities.ts";
import type { Carrier, LabelRef } from "./carrier.ts";
import { aBrokenParty, garbage } from "./broken-party-world.ts";
import type { CarrierTraits } from "./carrier-traits-world.ts";
import { aPurchase, aQuote, context, manifestReferences } from "./contract-samples-world.ts";
import { failureOf } from "./contract-world.ts";

/** The part of the contract for carriers that have manifests: see `contract.ts`. */
export function manifestContract(
  theCarrier: () => Carrier,
  makeCarrier: (url: string) => Carrier,
  traits: CarrierTraits,
): void {
  const { name, manifests: facts } = makeCarrier("http://127.0.0.1").descriptor;
  if (!facts) return;
  const isFound = facts.lookUp.by !== "none";
  const takesNamed = facts.takes === "named";

  describe(`${name} makes manifests`, () => {
    test("labels are handed over once, and the document can be fetched", async () => {
      const carrier = theCarrier();
      const request = await aRequest(carrier);
      const made = await carrier.manifests!.create(request, noAbort);
      expect(made.carrier_manifest_id).toBeTruthy();
      expect(made.files.map(({ type }) => type)).toEqual(["manifest"]);
      expect(made.files[0]!.bytes.subarray(0, 5).toString()).toBe("%PDF-");
      const again = carrier.manifests!.create({ ...request, reference: newId("att") }, noAbort);
      if (takesNamed) expect((await failureOf(again)).kind).toBe("refused");
      else await again;
    });

    test("its document can be fetched again, or never again", async () => {
      const carrier = theCarrier();
      const request = await aRequest(carrier);
      const { files: first, ...made } = await carrier.manifests!.create(request, noAbort);
      const files = await carrier.manifests!.files({ ...request, ...made }, noAbort);
      if (files.length > 0) expect(files.map(({ type }) => type)).toEqual(["manifest"]);
      else expect(first).toHaveLength(1);
    });

    test("a void label is on none", async () => {
      const carrier = theCarrier();
      const request = await aRequest(carrier);
      await carrier.voidLabel(request.labels[0]!, noAbort);
      const made = carrier.manifests!.create(request, noAbort);
      if (takesNamed) expect((await failureOf(made)).kind).toBe("refused");
      else await made;
    });

    test.runIf(isFound)("what was made is found, and what was not is not", async () => {
      const carrier = theCarrier();
      const request = await aRequest(carrier);
      expect(await carrier.manifests!.lookUp(sent(request), noAbort)).toBeNull();
      const made = await carrier.manifests!.create(request, noAbort);
      const found = await carrier.manifests!.lookUp(sent(request), noAbort);
      const factsOf = ({ carrier_manifest_id, carrier_data }: typeof made) => ({
        carrier_manifest_id,
        carrier_data,
      });
      expect(found && factsOf(found)).toEqual(factsOf(made));
      expect(found?.files.map(({ type }) => type)).toEqual(["manifest"]);
    });

    test.runIf(isFound)("one whose answer is lost is found", async () => {
      const carrier = theCarrier();
      const request = await aRequest(carrier, "sim:lost_answer");
      const lost = await failureOf(carrier.manifests!.create(request, noAbort));
      expect(lost.kind).toBe("unknown");
      expect(await carrier.manifests!.lookUp(sent(request), noAbort)).not.toBeNull();
    });

    failing(theCarrier, makeCarrier, traits);
  });
}

function failing(
  theCarrier: () => Carrier,
  makeCarrier: (url: string) => Carrier,
  traits: CarrierTraits,
): void {
  test.each(garbage)("%s never proves that nothing was handed over", async (_name, answer) => {
    const request = await aRequest(theCarrier());
    const broken = await aBrokenParty((incoming, response) => {
      if (!traits.beforehand(incoming, response)) answer(response);
    });
    const { manifests } = makeCarrier(broken.url);
    const { kind } = await failureOf(manifests!.create(request, noAbort));
    await broken.close();
    // Where a carrier is queried before the hand-over, a failed query is `unreachable`: nothing was handed over.
    expect(["unknown", "unreachable"]).toContain(kind);
    if (kind === "unreachable") expect(traits.asks_before_handing_over).toBe(true);
  });
}

const noAbort = new AbortController().signal;

/** For a label that was bought just now. */
async function aRequest(
  carrier: Carrier,
  address2: string | null = null,
): Promise<ManifestRequest> {
  const quote = aQuote(carrier);
  const { rates } = await carrier.quote(quote, noAbort);
  const purchase = aPurchase(carrier, quote, rates[0]!);
  const { reference, shipment } = purchase;
  const label = await carrier.buyLabel(purchase, noAbort);
  const { carrier_label_id, tracking_code, carrier_data } = label;
  const ref: LabelRef = { context, reference, carrier_label_id, tracking_code, carrier_data };
  return {
    context,
    reference: newId("att"),
    references: manifestReferences,
    labels: [ref],
    from_address: { ...shipment.from_address, address2 },
    ship_date: shipment.ship_date,
  };
}

function sent({ reference, labels, ship_date }: ManifestRequest): SentManifest {
  return { context, reference, sent_at: new Date(), labels, ship_date };
}
