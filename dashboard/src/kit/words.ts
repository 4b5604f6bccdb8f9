import { dictionary } from "../words/locale.tsx";
import type en from "./words.en.ts";

/** What the kit's own parts say. */
export const kitWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
