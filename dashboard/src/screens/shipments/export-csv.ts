import { csvOf, saveFile, type Cell } from "../../csv.ts";
import type { Chosen } from "./chosen.ts";

const columns: [string, (shipment: Chosen) => Cell | undefined][] = [
  ["id", ({ id }) => id],
  ["created_at", ({ created_at }) => created_at],
  ["status", ({ status }) => status],
  ["type", ({ type }) => type],
  ["reference", ({ reference }) => reference],
  ["name", ({ to_address }) => to_address.name],
  ["company", ({ to_address }) => to_address.company],
  ["city", ({ to_address }) => to_address.city],
  ["province_code", ({ to_address }) => to_address.province_code],
  ["postal_code", ({ to_address }) => to_address.postal_code],
  ["country_code", ({ to_address }) => to_address.country_code],
  ["carrier", ({ carrier }) => carrier?.code],
  ["service_name", ({ service_name }) => service_name],
  ["tracking_code", ({ tracking_code }) => tracking_code],
  ["tags", ({ tags }) => tags.join(", ")],
  ["subtotal", ({ cost }) => cost?.subtotal],
  ["tax", ({ cost }) => cost?.tax],
  ["total", ({ cost }) => cost?.total],
  ["currency", ({ cost }) => cost?.currency],
];

/** Saves shipments as a file for spreadsheets, with the API's names and amounts. */
export function exportCsv(shipments: readonly Chosen[]): void {
  const rows = shipments.map((each) => columns.map(([, read]) => read(each) ?? null));
  const names = columns.map(([name]) => name);
  saveFile("shipments.csv", csvOf(names, rows));
}
