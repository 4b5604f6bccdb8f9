import type { Mark } from "./marks.ts";
import { code128 } from "./symbols.ts";

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

// A bar of 7.6 thousandths of an inch is the thinnest that scanners at a dock read reliably; ISO/IEC
// 15417 requires the quiet zone on either side.
const thinnestBar = 0.55;
const widestBar = 1.3;
const quietModules = 10;

/**
 * A Code 128 symbol in the middle of a box, its quiet zones inside; nothing for a text that has no
 * such symbol, or no readable one: the content of a barcode must stand beside it in letters anyway.
 */
export function barcode(text: string, { x, y, width, height }: Place): Mark[] {
  if (!/^[\x20-\x7e]{1,60}$/.test(text)) return [];
  const { modules } = code128(text);
  const module = Math.min(widestBar, width / (modules + 2 * quietModules));
  if (module < thinnestBar) return [];
  const wide = modules * module;
  return [{ mark: "code128", x: x + (width - wide) / 2, y, width: wide, height, text }];
}
