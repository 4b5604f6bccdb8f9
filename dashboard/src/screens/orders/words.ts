import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the list of orders and an order's screen say. */
export const orderWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
