import { dictionary } from "../words/locale.tsx";
import type en from "./words.en.ts";

/** What the frame around all screens says. */
export const shellWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
