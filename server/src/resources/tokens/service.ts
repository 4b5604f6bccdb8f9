/** What other resources may use of tokens. */
export { mintToken, tokenChange, type Minting } from "./mint-token.ts";
export { findToken } from "./store.ts";
export { mintForAccount } from "./mint-for-account.ts";
