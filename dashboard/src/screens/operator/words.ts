import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the operator's pages say. */
export const operatorWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
