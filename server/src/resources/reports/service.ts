/** The parts of reports that other resources may use. */
export { reportShipping } from "./report-shipping.ts";
