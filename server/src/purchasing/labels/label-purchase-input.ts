import type { SentLabel } from "../../carriers/carrier.ts";
import type { Cost } from "../../domain/pricing/pricing.ts";
import type { Rate } from "../../domain/pricing/rate.ts";

/** All that the end of a purchase needs to know, stored with the attempt before the carrier is called. */
export interface LabelPurchaseInput {
  shipment_id: string;
  hold_id: string;
  carrier: string;
  environment: "live" | "test";
  rate: Rate;
  price: Cost;
  /** The exchange rate of the carrier's charge, where it is in another currency than the account's. */
  cost_rate?: number;
  add_ons: string[];
  /** Absent in purchases begun before it was kept. */
  package_count?: number;
  label_format: "pdf" | "zpl" | "png";
  /** Absent in purchases begun before it was kept. */
  label_size?: "4x6" | "letter";
  /** Whether customs will ask for an invoice. Absent in purchases begun before Waybill drew invoices. */
  has_invoice?: boolean;
  /** How the carrier is asked for it later. Absent in purchases begun before it was kept. */
  look_up?: SentLabel["look_up"] & { connection_id: string | null };
}
