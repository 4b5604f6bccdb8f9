/** What other resources may use of filters. */
export { narrowing, narrowingBy, type Narrowing } from "./narrow-list.ts";
