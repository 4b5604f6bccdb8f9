import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, degrees } from "@cantoo/pdf-lib";
import { Resvg } from "@resvg/resvg-js";
import { labelSheet, letter, type Paper } from "../../drawing/marks.ts";

/**
 * A label that is a PNG as a PDF: on 4 by 6 inch pages, or on letter pages where it has their shape. A
 * picture of several labels below each other is a page for each. In shades of grey, as it is printed.
 * Throws when it is no picture, or larger than any label.
 */
export async function picturePages(png: Uint8Array): Promise<PDFDocument> {
  const picture = decode(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
  const { paper, count } = papersFor(picture);
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const image = context.stream(deflateSync(picture.grey), {
    Type: "XObject",
    Subtype: "Image",
    Width: picture.width,
    Height: picture.height,
    ColorSpace: "DeviceGray",
    BitsPerComponent: 8,
    Filter: "FlateDecode",
  });
  const resources = { XObject: { Label: context.register(image) } };
  const scale = Math.min(paper.width / picture.width, (paper.height * count) / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const [left, above] = [(paper.width - width) / 2, (paper.height * count - height) / 2];
  for (let place = 0; place < count; place++) {
    const page = document.addPage([paper.width, paper.height]);
    // Upwards from the foot of the page; the other labels lie outside it.
    const bottom = paper.height * (place + 1) - above - height;
    const drawing = `q ${width} 0 0 ${height} ${left} ${bottom} cm /Label Do Q`;
    page.node.set(PDFName.of("Resources"), context.obj(resources));
    page.node.set(PDFName.of("Contents"), context.register(context.stream(drawing)));
    if (paper.width > paper.height) page.setRotation(degrees(90));
  }
  return document;
}

interface Picture {
  width: number;
  height: number;
  /** A byte for each dot, from black to white. */
  grey: Buffer;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
// Fifty labels of 812 by 1218 dots, a shipment's most, are 49 million; a small file may claim any size.
const mostDots = 60_000_000;

function decode(png: Buffer): Picture {
  if (png.length < 24 || !png.subarray(0, 8).equals(signature)) throw new Error("not a PNG");
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (width * height > mostDots || width * height === 0) throw new Error("no size of a label");
  const size = `width="${width}" height="${height}"`;
  const data = `data:image/png;base64,${png.toString("base64")}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${data}"/></svg>`;
  const options = { background: "white", font: { loadSystemFonts: false } };
  const colours = new Resvg(svg, options).render().pixels;
  const grey = Buffer.alloc(width * height);
  for (let dot = 0, at = 0; dot < grey.length; dot++, at += 4)
    grey[dot] = (colours[at]! * 299 + colours[at + 1]! * 587 + colours[at + 2]! * 114) / 1000;
  return { width, height, grey };
}

const landscapeSheet: Paper = { width: labelSheet.height, height: labelSheet.width };
// How far a shape may differ from the page's for the rounding of dots.
const tolerance = 0.003;

/** The page whose shape it has, once or more below each other; else the label sheet, scaled to fit. */
function papersFor({ width, height }: Picture): { paper: Paper; count: number } {
  for (const paper of [labelSheet, letter]) {
    const papers = (height / width) * (paper.width / paper.height);
    const count = Math.round(papers);
    if (count >= 1 && Math.abs(papers / count - 1) < tolerance) return { paper, count };
  }
  return { paper: width > height ? landscapeSheet : labelSheet, count: 1 };
}
