import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screens of batches and of the import of a file say. */
export const batchWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
