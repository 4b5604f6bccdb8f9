import PDFDocument from "pdfkit";

/**
 * Text in the printer's own Helvetica. PDFKit knows its letters, but reads all their widths again for
 * every document and looks each up by name whenever a text is measured or shown. A label is forty short
 * texts, so here the widths are read once per process, pair of letters by pair.
 */
export interface Helvetica {
  /** A text's width, in thousandths of its size; pairs like A and V are kerned. */
  widthOf(text: string): number;
  /** The operator that shows a text inside `BT` and `ET` (ISO 32000-1, 9.4.3), a byte a character. */
  show(text: string): string;
}

const codes = 256;
const unknown = -1;
// The characters of Windows-1252 from 0x80 to 0x9f, where it is not Unicode; five of these codes have no
// letter.
const specials = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Either weight of it, for texts of Windows-1252 alone. */
export function helveticaOf(name: "Helvetica" | "Helvetica-Bold"): Helvetica {
  const ruler = new PDFDocument({ autoFirstPage: false, font: name }).fontSize(1000);
  /** From a letter's start to the next one's, by the codes of the two. */
  const advances = new Int16Array(codes * codes).fill(unknown);

  function advance(text: string, at: number): number {
    const place = codeOf(text, at) * codes + codeOf(text, at + 1);
    if (advances[place] === unknown) {
      const next = text.charAt(at + 1);
      advances[place] = ruler.widthOfString(text.charAt(at) + next) - ruler.widthOfString(next);
    }
    return advances[place]!;
  }

  return {
    widthOf(text) {
      let width = 0;
      for (let at = 0; at < text.length; at++) width += advance(text, at);
      return width;
    },
    show(text) {
      let parts = "";
      for (let at = 0; at < text.length; at++) {
        const letter = text.charAt(at);
        parts += /[()\\]/.test(letter) ? `\\${letter}` : String.fromCharCode(codeOf(text, at));
        const closer = advance(letter, 0) - advance(text, at);
        if (closer !== 0) parts += `)${closer}(`;
      }
      return `[(${parts})]TJ`;
    },
  };
}

/** The Windows-1252 code of a letter; 0 after the last one. */
function codeOf(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  return code < codes ? code : 0x80 + specials.indexOf(text.charAt(at));
}
