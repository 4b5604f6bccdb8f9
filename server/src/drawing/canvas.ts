import type { GreyPicture } from "./grey-png.ts";
import type { Mask } from "./masks.ts";

/** A picture that is drawn dot by dot, in shades of grey: white at first. What lies beyond its edges is cut off. */
export class Canvas implements GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly dots: Uint8Array;

  /** Its size in dots. */
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.dots = new Uint8Array(width * height).fill(white);
  }

  /** Black from one place to another, in dots: of a dot that it covers in part, so much of its white goes. */
  fillBox(box: { left: number; top: number; right: number; bottom: number }): void {
    const left = Math.max(0, box.left);
    const right = Math.min(this.width, box.right);
    const bottom = Math.min(this.height, box.bottom);
    const [firstWhole, afterWhole] = [Math.ceil(left), Math.floor(right)];
    for (let row = Math.max(0, Math.floor(box.top)); row < bottom; row++) {
      const covered = Math.min(bottom, row + 1) - Math.max(box.top, row);
      const start = row * this.width;
      if (covered === 1 && firstWhole < afterWhole) {
        this.dots.fill(0, start + firstWhole, start + afterWhole);
        this.#ink(start + firstWhole - 1, firstWhole - left);
        this.#ink(start + afterWhole, right - afterWhole);
        continue;
      }
      for (let column = Math.floor(left); column < right; column++) {
        const width = Math.min(right, column + 1) - Math.max(left, column);
        this.#ink(start + column, covered * width);
      }
    }
  }

  #ink(dot: number, covered: number): void {
    if (covered > 0) this.dots[dot] = Math.max(0, this.dots[dot]! - Math.round(covered * white));
  }

  /** A mask in black, or in white, its origin at a dot's corner. */
  stamp({ width, height, left, top, cover }: Mask, x: number, y: number, isWhite = false): void {
    const [firstColumn, firstRow] = [Math.max(0, -(x + left)), Math.max(0, -(y + top))];
    const columns = Math.min(width, this.width - x - left);
    const rows = Math.min(height, this.height - y - top);
    for (let row = firstRow; row < rows; row++) {
      let to = (y + top + row) * this.width + x + left + firstColumn;
      for (let from = row * width + firstColumn; from < row * width + columns; from++, to++) {
        const covered = cover[from]!;
        if (covered === 0) continue;
        const dot = this.dots[to]!;
        this.dots[to] = isWhite ? Math.min(white, dot + covered) : Math.max(0, dot - covered);
      }
    }
  }
}

const white = 0xff;
