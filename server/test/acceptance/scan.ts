import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether this machine has what a label is looked at with. */
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
 * Prints a PDF as a label printer would, at 203 dots per inch, and reads the Code 128 symbols of each
 * page back. The first page's come first.
 */
export async function scanPages(pdf: Buffer): Promise<string[][]> {
  return inFolderWith("label.pdf", pdf, async (folder) => {
    await run("pdftoppm", ["-r", "203", "-gray", "-png", "label.pdf", "page"], { cwd: folder });
    const pages = (await readdir(folder)).filter((name) => name.endsWith(".png")).sort();
    return Promise.all(pages.map((page) => readCodes(join(folder, page))));
  });
}

/** The words of each page of a PDF, as they can be searched for and copied. */
export async function wordsOf(pdf: Buffer): Promise<string[]> {
  return inFolderWith("paper.pdf", pdf, async (folder) => {
    const { stdout } = await run("pdftotext", ["-layout", "paper.pdf", "-"], { cwd: folder });
    return stdout.split("\f").slice(0, -1);
  });
}

/** The Code 128 symbols of a label that is an image already. */
export async function scanImage(png: Buffer): Promise<string[]> {
  return inFolderWith("label.png", png, (folder) => readCodes(join(folder, "label.png")));
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

/** The reader's way of saying that it saw no symbol. */
function nothing(error: { code?: unknown; stdout?: string }): { stdout: string } {
  if (error.code === 4) return { stdout: "" };
  throw error as Error;
}
