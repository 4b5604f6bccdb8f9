import { Resvg, type RenderedImage } from "@resvg/resvg-js";
import { greyPng } from "../../../drawing/grey-png.ts";
import type { Mark, Page } from "../../../drawing/marks.ts";
import { outlineOf } from "../../../drawing/outlines.ts";
import {
  code128,
  hexagonCorners,
  symbolShapes,
  type SymbolShapes,
} from "../../../drawing/symbols.ts";

type TextMark = Extract<Mark, { mark: "text" }>;

// The resolution of the usual thermal printer: 812 by 1218 dots a label.
const dotsPerInch = 203;

/** Pages as one PNG, below each other, at 203 dots per inch, in shades of grey. */
export function writePng(pages: readonly Page[]): Buffer {
  const { width, height, pixels } = drawPages(pages, dotsPerInch);
  const dots = new Uint8Array(width * height);
  // Red stands for all.
  for (let dot = 0; dot < dots.length; dot++) dots[dot] = pixels[dot * 4]!;
  return greyPng([{ width, height, dots }], dotsPerInch);
}

/** Pages as one picture, below each other. */
export function drawPages(pages: readonly Page[], dotsPerInch: number): RenderedImage {
  let height = 0;
  const drawn = pages.map(({ paper, marks }) => {
    const top = height;
    height += paper.height;
    return `<g transform="translate(0 ${top})">${marks.map((mark) => toSvg(mark, dotsPerInch)).join("")}</g>`;
  });
  const width = Math.max(...pages.map(({ paper }) => paper.width));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${drawn.join("")}</svg>`;
  const picture = new Resvg(svg, {
    background: "white",
    fitTo: { mode: "width", value: Math.round((width / 72) * dotsPerInch) },
    font: { loadSystemFonts: false },
  });
  return picture.render();
}

function toSvg(mark: Mark, dotsPerInch: number): string {
  switch (mark.mark) {
    case "box":
      return `<rect x="${mark.x}" y="${mark.y}" width="${mark.width}" height="${mark.height}"/>`;
    case "text":
      return outlined(mark);
    case "code128": {
      const { runs, modules } = code128(mark.text);
      // Whole dots for each module, centred: a printer cannot print part of one.
      const dot = 72 / dotsPerInch;
      const module = Math.max(1, Math.floor(mark.width / modules / dot)) * dot;
      const left = Math.round((mark.x + (mark.width - modules * module) / 2) / dot) * dot;
      return runs
        .map(
          ({ at, width }) =>
            `<rect x="${left + at * module}" y="${mark.y}" width="${width * module}" height="${mark.height}" shape-rendering="crispEdges"/>`,
        )
        .join("");
    }
    case "symbol": {
      const shapes = symbolShapes(mark.kind, mark.text);
      const scale = `scale(${mark.width / shapes.width} ${mark.height / shapes.height})`;
      return `<path transform="translate(${mark.x} ${mark.y}) ${scale}" d="${pathOf(shapes)}" fill-rule="evenodd"/>`;
    }
  }
}

// Set a little smaller than in the PDF, because DejaVu's letters are wider than Helvetica's.
const narrowing = 0.94;

/** Set in outlines: the renderer reads a font's whole file again for every letter. */
function outlined({ x, y, text, size, bold, align, white }: TextMark): string {
  const { shapes, width } = outlineOf(text, size * narrowing, bold);
  const left = x - { left: 0, center: width / 2, right: width }[align];
  const fill = white ? ` fill="white"` : "";
  return `<g transform="translate(${left} ${y + size * 0.8})"${fill}>${shapes}</g>`;
}

function pathOf({ boxes, hexagons, circles }: SymbolShapes): string {
  return [
    ...boxes.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`),
    ...hexagons.map(({ x, y }) => {
      const corners = hexagonCorners.map(([right, down]) => `${x + right} ${y + down}`);
      return `M${corners.join("L")}z`;
    }),
    ...circles.map(({ x, y, radius }) => {
      const half = `a${radius} ${radius} 0 0 0`;
      return `M${x + radius} ${y}${half} ${-2 * radius} 0${half} ${2 * radius} 0z`;
    }),
  ].join("");
}
