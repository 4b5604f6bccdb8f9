import type { ReactNode } from "react";
import { Empty } from "../../kit/empty.tsx";
import { useWords } from "../../words/locale.tsx";
import { billingWords } from "./words.ts";

/** Says that there is no card, and what a card is for. */
export function NoCard({ children }: { children: ReactNode }) {
  const words = useWords(billingWords);
  return (
    <Empty icon="card" title={words.noCardTitle} action={children}>
      {words.noCardText}
    </Empty>
  );
}
