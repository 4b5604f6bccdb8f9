import { useWords } from "../../words/locale.tsx";
import { billingWords } from "./words.ts";

/** "Visa ending in 4242": the processor writes brands in small letters. */
export function useCardName(): (card: { brand: string; last4: string }) => string {
  const { cardName } = useWords(billingWords);
  return ({ brand, last4 }) => cardName(brand.charAt(0).toUpperCase() + brand.slice(1), last4);
}
