import type { Mark } from "../drawing/marks.ts";
import type { Section } from "./paginate.ts";

/** A table of the first page, and the part of it that continues in the supplement. */
export interface BillTable {
  height: number;
  draw(y: number): Mark[];
  later: Section;
}
