/** The parts of administration that the seed, the worker and the shell may use. */
export { accountContext, createDemoOrganization, type Demo } from "./demo-organization.ts";
export { mintOperatorToken } from "./operator-token.ts";
export { countReviews } from "./reviews.ts";
export { hasOrganizationOf, isEmptyDatabase } from "./store.ts";
