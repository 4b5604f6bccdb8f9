import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screen of billing says. */
export const billingWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
