import { fromCents, toCents } from "../../domain/values/money.ts";
import type { Item } from "../../domain/goods/parcel.ts";
import type { ShipmentForCarrier } from "../carrier.ts";
import { decimalOf } from "../protocol/amount.ts";
import { compact } from "../protocol/json.ts";
import { partyOf, plain } from "./parties.ts";

/** Customs in UPS's form: an invoice that UPS draws from it and sends ahead. No I/O. */

const goodsChars = 50;
const lineChars = 35;
const linesMost = 3;

export function needsForms({ from_address, to_address, items, contents_type }: ShipmentForCarrier) {
  const crosses = from_address.country_code !== to_address.country_code;
  return crosses && items.length > 0 && contents_type !== "documents";
}

/** What is in it, as UPS asks for all shipments and customs for those abroad. */
export function describeGoods({ items, packages }: ShipmentForCarrier): string {
  const titles = items.map((item) => item.customs_description ?? item.title);
  const contents = packages.map(({ package_contents }) => package_contents ?? "");
  const named = [...titles, ...contents].map(plain).filter((text) => text !== "");
  return [...new Set(named)].join(", ").slice(0, goodsChars).trim() || "Merchandise";
}

/** Of goods from the United States to Canada and Puerto Rico, and understood elsewhere. */
export function invoiceTotal({ items }: ShipmentForCarrier) {
  const cents = items.reduce((sum, { value, quantity }) => sum + toCents(value) * quantity, 0);
  // Whole units of the currency, from 1: UPS takes no cents here.
  const MonetaryValue = String(Math.max(1, Math.round(fromCents(cents))));
  return { CurrencyCode: items[0]!.currency, MonetaryValue };
}

const commercialInvoice = "01";

export function toForms(shipment: ShipmentForCarrier): object {
  const { items, ship_date, contents_type, incoterm, reference, to_address, is_return } = shipment;
  const { AttentionName, Name, Phone, Address } = partyOf(to_address);
  return compact({
    FormType: [commercialInvoice],
    Contacts: { SoldTo: compact({ Name, AttentionName, Phone, Address }) },
    Product: items.map(productOf),
    InvoiceNumber: reference ? plain(reference).slice(0, lineChars) : null,
    InvoiceDate: ship_date.replaceAll("-", ""),
    // What Waybill calls DDU has been called DAP since 2010.
    TermsOfShipment: incoterm === "DDP" ? "DDP" : "DAP",
    ReasonForExport: is_return ? "RETURN" : (reasons[contents_type ?? ""] ?? "SALE"),
    CurrencyCode: items[0]!.currency,
  });
}

const reasons: Readonly<Record<string, string>> = {
  merchandise: "SALE",
  gift: "GIFT",
  sample: "SAMPLE",
  return: "RETURN",
  returned_goods: "RETURN",
  repair: "REPAIR",
};

function productOf(item: Item): object {
  const text = plain(item.customs_description ?? item.title);
  const lines = Array.from({ length: linesMost }, (_line, index) =>
    text.slice(index * lineChars, (index + 1) * lineChars).trim(),
  );
  return compact({
    Description: lines.filter((line) => line !== ""),
    Unit: {
      Number: String(item.quantity),
      UnitOfMeasurement: { Code: "PCS" },
      Value: decimalOf(toCents(item.value)),
    },
    CommodityCode: item.hs_code,
    PartNumber: item.sku ? plain(item.sku).slice(0, lineChars) : null,
    OriginCountryCode: item.country_of_origin,
  });
}
