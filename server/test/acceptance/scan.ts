import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Place } from "../../src/drawing/barcode.ts";

const run = promisify(execFile);

/** Whether this machine has the tools that read labels. */
export async function canScan(): Promise<boolean> {
  try {
    await run("pdftoppm", ["-v"]);
    await run("pdftotext", ["-v"]);
    await run("zbarimg", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Each page of a PDF, or an area of each, in points, as PNG: as a label printer of 203 dots an inch
 * prints it. The first page comes first.
 */
export function printed(pdf: Buffer, place?: Place): Promise<Buffer[]> {
  const dots = (points: number) => String(Math.round((points / 72) * 203));
  const part = place
    ? ["-x", dots(place.x), "-y", dots(place.y), "-W", dots(place.width), "-H", dots(place.height)]
    : [];
  return pagesOf(pdf, ["-png", ...part]);
}

/** The Code 128 symbols on each page of a PDF, printed. */
export async function scanPages(pdf: Buffer): Promise<string[][]> {
  // Not as PNG: compressing a page takes six times as long as drawing it.
  return Promise.all((await pagesOf(pdf, [])).map(scanImage));
}

async function pagesOf(pdf: Buffer, options: string[]): Promise<Buffer[]> {
  return inFolderWith("label.pdf", pdf, async (folder) => {
    await run("pdftoppm", ["-r", "203", "-gray", ...options, "label.pdf", "page"], { cwd: folder });
    const pages = (await readdir(folder)).filter((name) => name.startsWith("page")).sort();
    return Promise.all(pages.map((page) => readFile(join(folder, page))));
  });
}

/** The words of each page of a PDF, as they can be searched for and copied. */
export async function wordsOf(pdf: Buffer): Promise<string[]> {
  return inFolderWith("paper.pdf", pdf, async (folder) => {
    const { stdout } = await run("pdftotext", ["-layout", "paper.pdf", "-"], { cwd: folder });
    return stdout.split("\f").slice(0, -1);
  });
}

/** The Code 128 symbols on a picture, of a format that its first bytes show. */
export async function scanImage(picture: Buffer): Promise<string[]> {
  return inFolderWith("picture", picture, (folder) => readCodes(join(folder, "picture")));
}

async function inFolderWith<T>(
  name: string,
  bytes: Buffer,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-scan-"));
  try {
    await writeFile(join(folder, name), bytes);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCodes(image: string): Promise<string[]> {
  const symbologies = ["-Sdisable", "-Scode128.enable"];
  const { stdout } = await run("zbarimg", ["--quiet", ...symbologies, "--raw", image]).catch(
    nothing,
  );
  return stdout.split("\n").filter(Boolean);
}

/** The reader's report that it found no symbol. */
function nothing(error: { code?: unknown; stdout?: string }): { stdout: string } {
  if (error.code === 4) return { stdout: "" };
  throw error as Error;
}
