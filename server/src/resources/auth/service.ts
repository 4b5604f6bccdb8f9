/** What the seed, the shell and the operator's API may use of people. */
export { addOperator, linkForUser } from "./make-link.ts";
export { insertMember } from "./member-store.ts";
export { insertOperator, insertUser } from "./store.ts";
/** The form of an e-mail, for the shell. */
export { Email } from "./schemas.ts";
