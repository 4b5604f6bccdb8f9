import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screens of rules say. */
export const ruleWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
