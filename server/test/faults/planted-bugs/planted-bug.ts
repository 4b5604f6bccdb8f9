/** A small change of the product's own text that would cost money or trust, and the test that has to detect it. */
export interface PlantedBug {
  name: string;
  file: string;
  /** Occurs once in the file. */
  find: string;
  replace: string;
  /** The test files for vitest, and their environment. */
  tests: string[];
  environment?: Record<string, string>;
  /** Part of the name of the test that must turn red. */
  red: string;
}

/** Of the crash matrices, only the cells with these words in their names. */
export const cells = (words: string) => ({ WAYBILL_CRASH_CELLS: words });
