import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screens of the account's settings say. */
export const settingWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
