import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFStream,
  type PDFDocument,
  type PDFObject,
} from "@cantoo/pdf-lib";
import { startPdf, type PdfFile } from "./pdf-file.ts";

/**
 * The pages of many PDFs in one. Common objects (fonts, logos, the form itself) are in it once, because
 * an object is identified by its bytes, with everything that it refers to.
 */
export interface MergedPdf {
  /** Appends all pages of a document, or throws and appends none of them. */
  append(source: PDFDocument): void;
  finish(): { bytes: Buffer; pages: number };
}

// This context is never read; the library's objects require one.
const scratch = PDFContext.create();
const pagesOfANode = 64;

export function startMerging(): MergedPdf {
  const file = startPdf();
  const root = file.reserve();
  const nodes: { ref: PDFRef; kids: PDFRef[] }[] = [];

  const place = () => {
    if (!nodes.length || nodes.at(-1)!.kids.length === pagesOfANode)
      nodes.push({ ref: file.reserve(), kids: [] });
    return nodes.at(-1)!;
  };
  return {
    append(source) {
      const pages = copyPages(source, file);
      for (const page of pages) {
        const node = place();
        page.set(PDFName.of("Parent"), node.ref);
        const ref = file.reserve();
        file.write(ref, page);
        node.kids.push(ref);
      }
    },
    finish() {
      for (const { ref, kids } of nodes) file.write(ref, pageNode(kids, kids.length, root));
      const refs = nodes.map(({ ref }) => ref);
      const pages = nodes.reduce((sum, { kids }) => sum + kids.length, 0);
      file.write(root, pageNode(refs, pages, null));
      const catalogue = file.keep(scratch.obj({ Type: "Catalog", Pages: root }));
      return { bytes: file.finish(catalogue), pages };
    },
  };
}

function pageNode(kids: PDFRef[], count: number, parent: PDFRef | null): PDFDict {
  const node = scratch.obj({ Type: "Pages", Kids: kids, Count: count });
  if (parent) node.set(PDFName.of("Parent"), parent);
  return node;
}

/** What a page needs to be printed. The other keys refer to the whole document that it comes from. */
const pageKeys = ["Resources", "Contents", "MediaBox", "CropBox", "Rotate", "UserUnit", "Group"];
/** The visible part of a stamp or a filled-in field. */
const stampKeys = ["Type", "Subtype", "Rect", "F", "AP", "AS"];

function copyPages(source: PDFDocument, file: PdfFile): PDFDict[] {
  const copy = copier(source.context, file);
  const pick = (names: readonly string[], find: (key: PDFName) => PDFObject | undefined) => {
    const picked = PDFDict.withContext(scratch);
    for (const key of names.map((name) => PDFName.of(name))) {
      const value = find(key);
      if (value) picked.set(key, copy(value));
    }
    return picked;
  };
  return source.getPages().map(({ node }) => {
    const page = pick(pageKeys, (key) => node.getInheritableAttribute(key));
    const stamps = (node.Annots()?.asArray() ?? [])
      .map((each) => source.context.lookup(each))
      .filter((each) => each instanceof PDFDict)
      .map((stamp) => pick(stampKeys, (key) => stamp.get(key)));
    page.set(PDFName.of("Type"), PDFName.of("Page"));
    if (stamps.length > 0) page.set(PDFName.of("Annots"), scratch.obj(stamps));
    return page;
  });
}

/** Copies objects of one document into the file, their references first. */
function copier(source: PDFContext, file: PdfFile): (object: PDFObject) => PDFObject {
  /** The copy of each object; null while it is being copied. */
  const copied = new Map<PDFRef, PDFRef | null>();

  function named(ref: PDFRef): PDFRef {
    let mine = copied.get(ref);
    if (mine) return mine;
    // It refers to itself through others: then it needs a number before it can be written.
    if (mine === null) copied.set(ref, (mine = file.reserve()));
    else {
      copied.set(ref, null);
      const object = copy(source.lookup(ref) ?? PDFNull);
      mine = copied.get(ref) ?? null;
      if (mine) file.write(mine, object);
      else copied.set(ref, (mine = file.keep(object)));
    }
    return mine;
  }

  function entries(dict: PDFDict): PDFDict {
    const mine = PDFDict.withContext(scratch);
    for (const [key, value] of dict.entries()) mine.set(key, copy(value));
    return mine;
  }

  function copy(object: PDFObject): PDFObject {
    if (object instanceof PDFRef) return named(object);
    if (object instanceof PDFDict) return entries(object);
    if (object instanceof PDFArray) {
      const mine = PDFArray.withContext(scratch);
      for (const each of object.asArray()) mine.push(copy(each));
      return mine;
    }
    if (object instanceof PDFStream) {
      const contents = object.getContents();
      // Its length may be an object of its own, which would be copied for nothing.
      const dict = object.dict.clone(source);
      dict.set(PDFName.of("Length"), PDFNumber.of(contents.length));
      return PDFRawStream.of(entries(dict), contents);
    }
    return object;
  }
  return copy;
}
