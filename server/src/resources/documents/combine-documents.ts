import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { StoredDocument } from "../../database/tables.ts";
import type { LabelFile } from "../../documents/combine-labels.ts";
import { ApiError, invalid, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { isTakenBack } from "../../domain/shipments/shipment-states.ts";
import { newId } from "../../domain/values/ids.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { firstPage } from "../../http/paging.ts";
import { combineInThreads, TooManyPages } from "../../purchasing/labels/combine-in-threads.ts";
import { isLabel, readDocument } from "../../purchasing/labels/read-document.ts";
import { savedListFilter } from "../../shipping/filters/list-filter.ts";
import { TaskAborted } from "../../threads/threads.ts";
import { listShipments } from "../shipments/service.ts";
import {
  CombinedDocuments,
  pagesMax,
  shipmentsMax,
  type CombineDocuments,
  type DocumentType,
} from "./schemas.ts";
import * as store from "./store.ts";

type Missing = CombinedDocuments["missing"];

/**
 * Documents of up to 500 shipments as one file, by the mechanism that combines a batch's labels. What cannot be in it
 * is named in `missing`. Throws 422 when nothing can, and for more than 5,000 pages.
 */
export async function combineDocuments(
  ctx: Context,
  body: CombineDocuments,
): Promise<StoredResponse> {
  const ids = await idsOf(ctx, body);
  const { account_id } = ctx.account;
  const sources = ordered(await store.listSources(ctx.db, account_id, ids), ids, body.order_by);
  const types = body.types ?? ["label"];
  const missing: Missing = ids
    .filter((id) => !sources.some((source) => source.id === id))
    .flatMap((shipment_id) =>
      types.map((type) => ({ shipment_id, type, reason: "not_found" as const })),
    );
  const printed = new Set<string>();
  const files = filesOf(ctx, { sources, types, missing, printed });
  const field = body.filter_id ? "filter_id" : "shipment_ids";
  const whole = await combined(ctx, files, field);
  if (!whole)
    throw invalid({
      [field]: [`names no shipment that has a document of the types ${types.join(", ")}.`],
    });
  const { format, bytes, pages } = whole;
  const id = newId("doc", ctx.clock.now());
  const file_key = `${account_id}/documents/${id}.${format}`;
  const written = await ctx.files.write(file_key, bytes);
  const link = ctx.files.link(file_key, ctx.clock.now());
  const data = { id, url: link.url, expires_at: link.expires_at.toISOString(), pages, missing };
  return inTransaction(ctx.db, async (tx) => {
    const created_at = ctx.clock.now();
    await store.insertCombined(tx, {
      account_id,
      id,
      file_key,
      ...written,
      shipment_ids: [...printed],
      created_at,
    });
    return recordResponse(tx, ctx, {
      answer: answer(201, CombinedDocuments, data),
      subject_id: id,
      details: { shipments: sources.length, types },
    });
  });
}

/** Null without any file. Throws 422 for more pages than one file may have, and 503 where the threads are busy with other work. */
async function combined(ctx: Context, files: AsyncGenerator<LabelFile>, field: string) {
  const { account_id } = ctx.account;
  try {
    return await combineInThreads(ctx, files, { account_id, pages_max: pagesMax });
  } catch (error) {
    if (error instanceof TooManyPages)
      throw invalid({
        [field]: [
          `names documents of more than ${pagesMax} pages. Combine fewer shipments at a time.`,
        ],
      });
    if (error instanceof TaskAborted)
      throw new ApiError("unavailable", { retry_after: 1, cause: error });
    throw error;
  }
}

/** Throws 422 for both or neither, and for a filter that too many match. */
async function idsOf(ctx: Context, { shipment_ids, filter_id }: CombineDocuments) {
  if (shipment_ids && filter_id)
    throw invalid({ filter_id: ["must not be combined with shipment_ids."] });
  if (shipment_ids) return shipment_ids;
  if (!filter_id) throw invalid({ shipment_ids: ["is required without filter_id."] });
  const problems: Problems = {};
  const saved = await savedListFilter(ctx, { filter_id, kind: "shipments", problems });
  throwIfAny(problems);
  const rows = await listShipments(ctx.db, {
    account_id: ctx.account.account_id,
    filters: { ...(saved ? { saved } : {}) },
    page: firstPage(shipmentsMax + 1),
  });
  if (rows.length > shipmentsMax)
    throw invalid({ filter_id: [`matches more than ${shipmentsMax} shipments.`] });
  return rows.map(({ id }) => id);
}

function ordered(
  sources: store.Source[],
  ids: readonly string[],
  order_by: CombineDocuments["order_by"],
): store.Source[] {
  const place = new Map(ids.map((id, index) => [id, index]));
  const given = sources.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!);
  if (!order_by || order_by === "given") return given;
  const textOf = (source: store.Source) =>
    order_by === "created_at" ? source.created_at.toISOString() : (source[order_by] ?? "");
  return given.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0));
}

/**
 * Reads one file after the other. The first one decides whether it is a file for a thermal printer. The combined file is
 * void with the shipments whose ids are added to `printed`: not with those that it lacks, nor with those of an invoice.
 */
async function* filesOf(
  ctx: Context,
  {
    sources,
    types,
    missing,
    printed,
  }: {
    sources: readonly store.Source[];
    types: readonly DocumentType[];
    missing: Missing;
    printed: Set<string>;
  },
): AsyncGenerator<LabelFile, undefined> {
  let isZpl: boolean | null = null;
  const { account_id } = ctx.account;
  for (const source of sources)
    for (const type of types) {
      const named = { shipment_id: source.id, type };
      const document = documentOf(source, type);
      if (!document) missing.push({ ...named, reason: "no_document" });
      else if (isZpl !== null && isZpl !== (document.format === "zpl"))
        missing.push({ ...named, reason: "other_format" });
      else {
        const shipment = { account_id, shipment_id: source.id };
        const bytes = await readDocument(ctx, shipment, document);
        if (!bytes) missing.push({ ...named, reason: "unreadable" });
        else {
          isZpl = document.format === "zpl";
          if (type !== "commercial_invoice") printed.add(source.id);
          yield { name: source.ship_code, format: document.format, bytes };
        }
      }
    }
}

/** An invoice outlives its label, for accounting. */
function documentOf(source: store.Source, type: DocumentType): StoredDocument | undefined {
  const { documents, status, label_format } = source;
  if (type !== "commercial_invoice" && isTakenBack(status)) return undefined;
  return documents.find((each) =>
    type === "label" ? isLabel(each, label_format) : each.type === type,
  );
}
