/** A progress bar in a terminal; nothing where the output is no terminal. */
interface ProgressBar {
  show(what: string, done: number, all: number): void;
  /** Removes it, before a line of text or for good. */
  clear(): void;
}

const width = 30;
const everyMs = 50;

export function progressBar(out: NodeJS.WriteStream): ProgressBar {
  let shownAt = 0;
  return {
    show(what, done, all) {
      const now = performance.now();
      if (!out.isTTY || (now - shownAt < everyMs && done < all)) return;
      shownAt = now;
      const share = all === 0 ? 1 : Math.min(1, done / all);
      const full = Math.round(share * width);
      const bar = "█".repeat(full) + "░".repeat(width - full);
      out.write(`\r${what} ${bar} ${Math.floor(share * 100)} %\u001b[K`);
    },
    clear() {
      if (out.isTTY) out.write("\r\u001b[K");
    },
  };
}
