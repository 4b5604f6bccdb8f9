import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screen of tracking exceptions says. */
export const trackingWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
