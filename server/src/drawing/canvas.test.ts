import fc from "fast-check";
import { expect, test } from "vitest";
import { Canvas } from "./canvas.ts";
import { maskOf, type Shape } from "./masks.ts";

/** How many dots' worth of black there is. */
const inkOf = ({ dots }: Canvas) => dots.reduce((sum, dot) => sum + (255 - dot), 0) / 255;

const place = fc.double({ min: -5, max: 25, noNaN: true });
const length = fc.double({ min: 0, max: 25, noNaN: true });

test("a box has as much black as the part of it that is on the canvas is large", () => {
  fc.assert(
    fc.property(place, place, length, length, (left, top, width, height) => {
      const canvas = new Canvas(20, 10);
      canvas.fillBox({ left, top, right: left + width, bottom: top + height });
      const within = (from: number, size: number, limit: number) =>
        Math.max(0, Math.min(limit, from + size) - Math.max(0, from));
      const area = within(left, width, 20) * within(top, height, 10);
      // Each dot that is covered in part is rounded to one of 255 greys.
      expect(Math.abs(inkOf(canvas) - area)).toBeLessThan(0.2);
    }),
    { numRuns: 500 },
  );
});

test("boxes that touch within a dot leave no light between them", () => {
  const canvas = new Canvas(4, 1);
  canvas.fillBox({ left: 0.25, top: 0, right: 1.4, bottom: 1 });
  canvas.fillBox({ left: 1.4, top: 0, right: 3, bottom: 1 });
  expect([...canvas.dots]).toEqual([64, 0, 0, 255]);
});

const triangle: Shape = {
  name: "triangle",
  path: "M0 -1L1 1L-1 1z",
  box: { left: -1, top: -1, right: 1, bottom: 1 },
};

test("a mask is stamped where its origin is, and what lies beyond the edges is cut off", () => {
  const mask = maskOf(triangle, { x: 4, y: 4 });
  fc.assert(
    fc.property(fc.integer({ min: -8, max: 28 }), fc.integer({ min: -8, max: 28 }), (x, y) => {
      const whole = new Canvas(60, 60);
      whole.stamp(mask, x + 20, y + 20);
      const canvas = new Canvas(20, 20);
      canvas.stamp(mask, x, y);
      for (let row = 0; row < 20; row++) {
        const start = (row + 20) * 60 + 20;
        const part = canvas.dots.subarray(row * 20, row * 20 + 20);
        expect([...part]).toEqual([...whole.dots.subarray(start, start + 20)]);
      }
    }),
  );
});

test("a mask covers the area of its shape, wherever between two dots its origin is", () => {
  for (const x of [0, 0.25, 0.5, 0.75]) {
    const canvas = new Canvas(20, 20);
    canvas.stamp(maskOf(triangle, { x: 6, y: 6 }, { x, y: 0.5 }), 10, 10);
    expect(inkOf(canvas)).toBeCloseTo(72, 0);
  }
});

test("white is stamped on black", () => {
  const canvas = new Canvas(20, 20);
  canvas.fillBox({ left: 0, top: 0, right: 20, bottom: 20 });
  canvas.stamp(maskOf(triangle, { x: 6, y: 6 }), 10, 10, true);
  expect(400 - inkOf(canvas)).toBeCloseTo(72, 0);
});
