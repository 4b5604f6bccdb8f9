/**
 * A label as a list of marks on a sheet of 288 by 432 points (4 by 6 inches), origin at the top left.
 * It is laid out once; `write-pdf.ts`, `write-png.ts` and `write-zpl.ts` only put the marks down.
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

export const sheet = { width: 288, height: 432 } as const;
