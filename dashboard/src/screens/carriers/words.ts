import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screens of carriers, their services and the account's own connections say. */
export const carrierWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
