import bwip from "bwip-js/node";
import type { SymbolKind } from "./drawing.ts";

/** Barcodes as vectors: what the two picture writers draw. */

/** Bars of a Code 128 in modules: each black run's start and width, and the total width. */
export function code128(text: string): { runs: { at: number; width: number }[]; modules: number } {
  const [symbol] = bwip.raw({ bcid: "code128", text }) as unknown as { sbs: number[] }[];
  const runs: { at: number; width: number }[] = [];
  let at = 0;
  symbol!.sbs.forEach((width, place) => {
    // Bars and spaces alternate, a bar first.
    if (place % 2 === 0) runs.push({ at, width });
    at += width;
  });
  return { runs, modules: at };
}

/** A two-dimensional symbol as SVG paths in a box of its own. */
export function symbolPaths(
  kind: SymbolKind,
  text: string,
): { paths: string[]; width: number; height: number } {
  const options = kind === "pdf417" ? { columns: 6 } : kind === "maxicode" ? { mode: 4 } : {};
  const svg = bwip.toSVG({ bcid: kind, text, ...options });
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  const paths = [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]!);
  return { paths, width: Number(width), height: Number(height) };
}
