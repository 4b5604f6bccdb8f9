/** The simulated processor's cards (decision 24): the first is a new account's default. */
export const testCards = [
  { id: "pm_card_visa", last4: "4242", is_default: true },
  { id: "pm_card_declined", last4: "0002", is_default: false },
  { id: "pm_card_lost_answer", last4: "0069", is_default: false },
] as const;
