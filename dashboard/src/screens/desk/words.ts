import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the shipping desk says. */
export const deskWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
