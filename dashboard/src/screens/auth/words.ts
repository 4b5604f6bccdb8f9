import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the pages before the shell say. */
export const authWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
