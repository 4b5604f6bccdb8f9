import type { Item } from "../../src/domain/goods/parcel.ts";
import type { CommercialInvoice } from "../../src/documents/commercial-invoice.ts";
import { shipFrom, shipTo } from "./documents.fixtures.ts";

/** An ordinary invoice, for tests to change. */

export const tile: Item = {
  sku: "TILE-60",
  title: "Porcelain tile",
  description: null,
  customs_description: "Glazed porcelain floor tile",
  quantity: 12,
  value: 24.5,
  currency: "CAD",
  weight: 1.4,
  weight_unit: "kg",
  country_of_origin: "IT",
  hs_code: "6907210011",
  manufacturer: "Ceramiche Rossi",
};
export const spacers = {
  ...tile,
  sku: null,
  quantity: 1000,
  value: 0.15,
  hs_code: "392690",
  weight: null,
};
export const invoice: CommercialInvoice = {
  number: "SH4K7Q2M",
  date: "2026-11-24",
  tracking_code: "1Z999AA10123456784",
  carrier_name: "UPS",
  service_name: "UPS Standard",
  reference: "PO-10023",
  seller: {
    ...shipFrom,
    tax_identifier: { tax_type: "EORI", number: "GB123456789000", issuing_authority: "GB" },
  },
  buyer: {
    ...shipTo,
    tax_identifier: { tax_type: "IOSS", number: "IM3720000224", issuing_authority: null },
  },
  importer: null,
  items: [tile, spacers],
  package_count: 3,
  gross_grams: 18_234,
  incoterm: "DDP",
  contents_type: "merchandise",
};
