import type { Mark } from "./marks.ts";
import type { Pen } from "./pen.ts";
import { bars, putShapes } from "./put-shapes.ts";
import { putText } from "./put-text.ts";
import { rounded } from "./rounded.ts";
import { symbolShapes } from "./symbols.ts";

/** Puts one mark on the page. */
export function putMark(pen: Pen, mark: Mark): void {
  switch (mark.mark) {
    case "box": {
      const { x, y, width, height } = mark;
      pen.write(`${[x, y, width, height].map(rounded).join(" ")} re f`);
      return;
    }
    case "text":
      putText(pen, mark);
      return;
    case "code128":
      putShapes(pen, mark, bars(mark.text));
      return;
    case "symbol":
      putShapes(pen, mark, symbolShapes(mark.kind, mark.text));
  }
}
