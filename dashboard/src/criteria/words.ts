import { dictionary } from "../words/locale.tsx";
import type en from "./words.en.ts";

/** What the builder of criteria says. */
export const criteriaWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
