/** What the seed, the shell and the operator's API may use of people. */
export { insertMember } from "./member-store.ts";
export { insertOperator, insertUser } from "./store.ts";
