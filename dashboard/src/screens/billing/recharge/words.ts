import { dictionary } from "../../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the card of automatic top-ups says. */
export const rechargeWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
