/**
 * A page as a list of marks, in points (72 an inch) from its top left corner. It is laid out once;
 * `write-pdf.ts`, and the simulator's writers of PNG and ZPL, only draw the marks.
 */
export type Mark =
  | {
      mark: "text";
      /** Left edge, middle or right edge, as `align` says; `y` is the top of the letters' box. */
      x: number;
      y: number;
      text: string;
      size: number;
      bold: boolean;
      align: "left" | "center" | "right";
      white: boolean;
    }
  | { mark: "box"; x: number; y: number; width: number; height: number }
  | { mark: "code128"; x: number; y: number; width: number; height: number; text: string }
  | {
      mark: "symbol";
      kind: SymbolKind;
      x: number;
      y: number;
      width: number;
      height: number;
      text: string;
    };

export type SymbolKind = "maxicode" | "pdf417" | "datamatrix";

export interface Paper {
  width: number;
  height: number;
}

/** A sheet of paper, and what is printed on it. */
export interface Page {
  paper: Paper;
  marks: Mark[];
}

/** 4 by 6 inches: the sheet of thermal printers. */
export const labelSheet = { width: 288, height: 432 } as const satisfies Paper;
export const letter = { width: 612, height: 792 } as const satisfies Paper;

/** A filled rectangle: a bar of black, or, when thin, a line. */
export function box(x: number, y: number, width: number, height: number): Mark {
  return { mark: "box", x, y, width, height };
}

/** The same marks, elsewhere on the page. */
export function moved(marks: readonly Mark[], { x, y }: { x: number; y: number }): Mark[] {
  return marks.map((mark) => ({ ...mark, x: mark.x + x, y: mark.y + y }));
}
