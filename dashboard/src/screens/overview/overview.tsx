import { Page } from "../../kit/page.tsx";
import { useWords } from "../../words/locale.tsx";
import { overviewWords } from "./words.ts";

/** What there is to do, and what was shipped and spent. */
export default function Overview() {
  const words = useWords(overviewWords);
  return <Page title={words.title}>{null}</Page>;
}
