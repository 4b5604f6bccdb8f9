/** What other resources may use of tokens. */
export { refuseBeyondCeiling } from "./create-token.ts";
export { mintToken, refuseTooManyTokens, tokenChange, type Minting } from "./mint-token.ts";
export { findToken } from "./store.ts";
export { mintForAccount } from "./mint-for-account.ts";
export { TokenName } from "./schemas.ts";
