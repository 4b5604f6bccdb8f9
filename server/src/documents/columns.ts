import type { Mark } from "../drawing/marks.ts";
import { text } from "../drawing/text.ts";
import { down } from "./form.ts";

/** The columns of a table, side by side. */
export interface Column<K extends string = string> {
  key: K;
  title: string;
  width: number;
  align?: "left" | "center" | "right";
}

const pad = 3;

/** The position of one column, and of its text. */
function placed(columns: readonly Column[], left: number) {
  let x = left;
  return columns.map((column) => {
    const start = x;
    x += column.width;
    const align = column.align ?? "left";
    const at = { left: start + pad, center: start + column.width / 2, right: x - pad }[align];
    return { column, start, align, at, max: column.width - 2 * pad };
  });
}

/** The lines between columns. */
export function rulers(
  columns: readonly Column[],
  left: number,
  y: number,
  height: number,
): Mark[] {
  return placed(columns, left)
    .slice(1)
    .map(({ start }) => down(start, y, height));
}

interface CellStyle {
  size: number;
  bold?: boolean;
}

/** One line of cells; a column without text stays empty. */
export function cells<K extends string>(
  columns: readonly Column<K>[],
  words: Partial<Record<K, string>>,
  { x, y, size, bold = false }: { x: number; y: number } & CellStyle,
): Mark[] {
  return placed(columns, x).flatMap(({ column, align, at, max }) => {
    const word = words[column.key as K];
    return word ? [text(word, at, y, { size, bold, align, max })] : [];
  });
}

/** The columns' titles, in the middle of each. */
export function titles(columns: readonly Column[], left: number, y: number, size = 6.2): Mark[] {
  return placed(columns, left).map(({ column, start, max }) =>
    text(column.title, start + column.width / 2, y, { size, align: "center", max }),
  );
}
