/** A scanner is a keyboard that types faster than people: at least six characters, and then Enter. */
const gap_ms = 35;
const characters_min = 6;

interface ScanReader {
  /** Takes a key; returns the text when this key ends a scan. */
  key: (key: string, at: number) => string | null;
}

/** Tells a scan from typing by the time between keys. */
export function scanReader(): ScanReader {
  let text = "";
  let last = 0;
  return {
    key: (key, at) => {
      if (at - last > gap_ms) text = "";
      last = at;
      if (key.length === 1) text += key;
      if (key !== "Enter") return null;
      const scanned = text;
      text = "";
      return scanned.length >= characters_min ? scanned : null;
    },
  };
}
