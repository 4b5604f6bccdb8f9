import { expect, test } from "vitest";
import type { Pen } from "./pen.ts";
import { putShapes } from "./put-shapes.ts";
import { symbolShapes } from "./symbols.ts";

test("each hexagon of a MaxiCode is at its module's position, however many precede it", () => {
  const shapes = symbolShapes("maxicode", "1Z999AA10123456784|H3G 1H9|CA|ups.standard|2026-11-21");
  const written: string[] = [];
  const pen = { write: (operators: string) => void written.push(operators), carry() {} };
  putShapes(pen as unknown as Pen, { x: 9, y: 203, width: 62, height: 59 }, shapes);

  const lines = written.join("\n").split("\n");
  let [unit, x, y] = [1, 0, 0];
  const drawn: { x: number; y: number }[] = [];
  for (const line of lines.slice(lines.indexOf("f*") + 1, -1)) {
    const [scale = 0, , , , right = 0, down = 0] = line.split(" ").map(Number);
    unit *= scale;
    x += right * unit;
    y += down * unit;
    if (line.endsWith(" /Hexagon Do")) drawn.push({ x, y });
  }
  expect(drawn).toHaveLength(shapes.hexagons.length);
  expect(drawn.length).toBeGreaterThan(300);
  drawn.forEach((place, at) => {
    expect(place.x).toBeCloseTo(shapes.hexagons[at]!.x, 2);
    expect(place.y).toBeCloseTo(shapes.hexagons[at]!.y, 2);
  });
});
