export { addMissingConnection } from "./change-connection.ts";
