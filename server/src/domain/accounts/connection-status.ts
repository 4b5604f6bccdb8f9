/** How a carrier connection fares (decision 27): `failing` once the carrier has refused its credentials repeatedly. */
export const connectionStatuses = ["untested", "active", "failing", "disabled"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/**
 * What becomes of the hold of a purchase whose outcome no lookup can prove: it stays, or it is released and the
 * label is voided should it appear after all.
 */
export const unheardPolicies = ["hold", "release_and_watch"] as const;
export type UnheardPolicy = (typeof unheardPolicies)[number];

/** The `account_id` of the platform's own connections, and of calls that concern no account. No account has it. */
export const platformAccountId = "platform";
