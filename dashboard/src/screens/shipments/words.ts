import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the list of shipments and a shipment's screen say. */
export const shipmentWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
