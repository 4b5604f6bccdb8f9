import type {
  NewOrder,
  OrderCreated,
  OrdersCreated,
  ShipmentCreated,
  ShipmentEntry,
  ShipmentsCreated,
} from "../../generated/types.ts";
import type { Resources } from "../../generated/resources.ts";
import type { Call, CallOptions, Facts } from "../call.ts";
import { CreateManyStopped, ValidationFailed, WaybillError } from "../errors.ts";
import { newKey } from "../key.ts";

/** What one call accepts. */
const chunkSize = 500;

/** The result of each row, in the order of the rows, whose `index` counts over all of them. */
export interface ManyCreated<Row> {
  data: Row[];
  created: number;
  failed: number;
}

interface RowResult {
  index: number;
  status: "created" | "error";
}

/** Creating one, up to 500 with one call, or any number. `T` is what the operation's doc describes. */
interface Creation<Entry, One, Several extends { data: RowResult[] }> {
  /**
   * Creates one, or up to 500 in one call, row by row: bad rows come back with their errors.
   *
   * Scopes and errors: as the operation of the same name in the reference.
   */
  create(entry: Entry, options?: CallOptions): Call<One & Facts>;
  create(entries: Entry[], options?: CallOptions): Call<Several & Facts>;
  /**
   * Creates any number in calls of 500, one after the other. Bad rows are results, not errors. When a call fails,
   * `CreateManyStopped` has the rows that are done; the same call with its `idempotencyKey` goes on and creates nothing twice.
   *
   * Scopes and errors: as `create`.
   */
  createMany(
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    options?: CallOptions,
  ): Promise<ManyCreated<Several["data"][number]>>;
}

export type ShipmentsMethods = Omit<Resources["shipments"], "create"> &
  Creation<ShipmentEntry, ShipmentCreated, ShipmentsCreated>;
export type OrdersMethods = Omit<Resources["orders"], "create"> &
  Creation<NewOrder, OrderCreated, OrdersCreated>;

/** The methods of shipments. */
export function shipmentsOf(shipments: Resources["shipments"]): ShipmentsMethods {
  const create = shipments.create as ShipmentsMethods["create"];
  return { ...shipments, create, createMany: manyOf(create) };
}

/** The methods of orders. */
export function ordersOf(orders: Resources["orders"]): OrdersMethods {
  const create = orders.create as OrdersMethods["create"];
  return { ...orders, create, createMany: manyOf(create) };
}

function manyOf<Entry, Row extends RowResult>(
  create: (entries: Entry[], options: CallOptions) => PromiseLike<{ data: Row[] }>,
) {
  return async (
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    options: CallOptions = {},
  ): Promise<ManyCreated<Row>> => {
    const key = options.idempotencyKey ?? (await newKey());
    const rows: Row[] = [];
    let chunk = 0;
    for await (const part of chunksOf(entries)) {
      const start = rows.length;
      // Each call is an effect of its own; its place makes its key the same when all is called again.
      const idempotencyKey = `${key}-${++chunk}`;
      const done = await rowsOf<Row>(create(part, { ...options, idempotencyKey })).catch(
        (error: unknown) => {
          if (error instanceof WaybillError) throw new CreateManyStopped(error, key, rows);
          throw error;
        },
      );
      for (const row of done) rows.push({ ...row, index: start + row.index });
    }
    const created = rows.filter(({ status }) => status === "created").length;
    return { data: rows, created, failed: rows.length - created };
  };
}

/** A call of which no row is good is refused, with its rows in the body. */
async function rowsOf<Row>(call: PromiseLike<{ data: Row[] }>): Promise<Row[]> {
  try {
    return (await call).data;
  } catch (error) {
    const rows = error instanceof ValidationFailed && (error.body as { data?: Row[] }).data;
    if (rows) return rows;
    throw error;
  }
}

async function* chunksOf<T>(entries: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const entry of entries) {
    if (chunk.push(entry) < chunkSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
