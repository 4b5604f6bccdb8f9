import type { Readable } from "node:stream";
import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError, notFound } from "../../domain/errors/errors.ts";
import { isLabelled, isTakenBack } from "../../domain/shipments/shipment-states.ts";
import { checkFile, readIntact, type ListedFile } from "../../providers/files/check-file.ts";
import type { Files } from "../../providers/files/files.ts";
import { mendedFiles } from "../manifests/service.ts";
import { combineAgain } from "../../shipping/batches/store.ts";
import { restoreDocuments } from "../../purchasing/labels/restore-documents.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { findListing, type Listing } from "./store.ts";

/** The content to be sent. */
interface WholeFile {
  bytes: number;
  content: Buffer | Readable;
}

/**
 * The content of a file as it was written, for the holder of a link to it. A file that was voided since, or
 * that no row lists any more, is 404; the file itself is kept. A live label's missing or damaged file is
 * replaced first, and so is a manifest's; a batch's is combined again by a worker. 404 where neither is possible, rather than half a
 * label, or another file.
 */
export async function openWhole(platform: Platform, key: string): Promise<WholeFile> {
  const { db, files, log } = platform;
  const listing = await findListing(db, key);
  if (!listing) throw notFound();
  if (listing.of === "shipment") return openDocument(platform, listing, key);
  const file = await openIntact(files, listing.file);
  if (file) return file;
  if (listing.of === "manifest") {
    const again = (await mendedFiles(platform, listing)).find(({ file_key }) => file_key === key);
    const mended = again && (await openIntact(files, again));
    if (mended) return mended;
  }
  log.error({ file_key: key }, "file.not_served");
  // Under another link, which the batch has once it is made.
  if (listing.of === "batch") await inTransaction(db, (tx) => combineAgain(tx, listing));
  throw notFound();
}

async function openDocument(
  platform: Platform,
  { account_id, shipment_id, is_void_with_it }: Listing & { of: "shipment" },
  key: string,
): Promise<WholeFile> {
  const row = await shipmentOrNull(platform, account_id, shipment_id);
  const open = (documents: readonly ListedFile[] = []) =>
    openIntact(
      platform.files,
      documents.find(({ file_key }) => file_key === key) ?? { file_key: key },
    );
  if (is_void_with_it && row && isTakenBack(row.status)) throw notFound();
  const file = await open(row?.documents);
  if (file) return file;
  if (!row || !isLabelled(row.status)) throw notFound();
  const replaced = await open((await restoreDocuments(platform, row)).documents);
  if (!replaced) throw notFound();
  return replaced;
}

/** About as much as a stream keeps for a client that does not read. */
const inMemoryMax = 128 * 1024;

/**
 * Null where the file is missing or damaged. What is sent from memory is what was checked. A larger file is read twice, so
 * that those who ask for it and do not read keep no copies: what replaces a file has a name of its own until it is whole, and
 * an open file is not changed by it.
 */
async function openIntact(files: Files, listed: ListedFile): Promise<WholeFile | null> {
  if (typeof listed.bytes === "number" && listed.bytes <= inMemoryMax) {
    const content = await readIntact(files, listed);
    return content && { bytes: content.length, content };
  }
  return (await checkFile(files, listed)) === "intact" ? files.open(listed.file_key) : null;
}

async function shipmentOrNull({ db }: Platform, accountId: string, id: string) {
  return getShipment(db, accountId, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  });
}
