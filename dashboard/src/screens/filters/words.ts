import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screen of filters says. */
export const filterWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
