import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import type { CarrierData } from "../carrier.ts";

/** What is kept with a label, to void it and to fetch its files weeks later. */
const KeptLink = Type.Object({ path: Type.String(), media_type: Type.String() });
const KeptLinks = Type.Object({
  kind: Type.Union([Type.Literal("contract"), Type.Literal("none"), Type.Literal("return")]),
  label: Type.Optional(KeptLink),
  commercialInvoice: Type.Optional(KeptLink),
  refund: Type.Optional(KeptLink),
  group_id: Type.Optional(Type.String()),
});
export type KeptLinks = Static<typeof KeptLinks>;

const shape = Compile(KeptLinks);

/** What was kept; null for a label that was recorded without it. */
export function keptLinks(data: CarrierData | null): KeptLinks | null {
  return shape.Check(data) ? data : null;
}

export function toCarrierData(
  kind: KeptLinks["kind"],
  { label, commercialInvoice, refund, group_id }: Omit<KeptLinks, "kind">,
): CarrierData {
  return {
    kind,
    ...(label ? { label } : {}),
    ...(commercialInvoice ? { commercialInvoice } : {}),
    ...(refund ? { refund } : {}),
    ...(group_id === undefined ? {} : { group_id }),
  } satisfies KeptLinks;
}
