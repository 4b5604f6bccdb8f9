import { dictionary } from "../../words/locale.tsx";
import type en from "./words.en.ts";

/** What the screens of the team and of one's own profile say. */
export const teamWords = dictionary<typeof en>({
  en: () => import("./words.en.ts"),
  fr: () => import("./words.fr.ts"),
});
