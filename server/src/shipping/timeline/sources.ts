import type { Database } from "../../database/tables.ts";
import { tellAttempt } from "../../domain/timeline/tell-attempts.ts";
import {
  tellAction,
  tellDelivery,
  tellEvent,
  tellTransaction,
} from "../../domain/timeline/tell-facts.ts";
import { tellCall, tellRequest, tellScan } from "../../domain/timeline/tell-logs.ts";
import { tellRun } from "../../domain/timeline/tell-rules.ts";
import type { Entry } from "../../domain/timeline/entry.ts";
import type { Telling } from "../../domain/timeline/telling.ts";
import * as logs from "./log-store.ts";
import type { Slice, TimelineScope } from "./scope.ts";
import * as store from "./store.ts";

/** Reads the next entries of one kind, and tells them. */
export type Source = (slice: Slice) => Promise<Entry[]>;

/** What a timeline can be made of: each is one read by an index. */
export function sourcesOf(db: Database, scope: TimelineScope, telling: Telling) {
  const source =
    <Row>(
      list: (db: Database, scope: TimelineScope, slice: Slice) => Promise<Row[]>,
      tell: (row: Row, telling: Telling) => Entry,
    ): Source =>
    async (slice) =>
      (await list(db, scope, slice)).map((row) => tell(row, telling));
  return {
    requests: source(logs.listRequests, tellRequest),
    runs: source(store.listRuns, tellRun),
    attempts: source(store.listAttemptMoments, tellAttempt),
    calls: source(logs.listCarrierCalls, tellCall),
    transactions: source(store.listTransactions, tellTransaction),
    events: source(store.listEvents, tellEvent),
    deliveries: source(store.listDeliveries, tellDelivery),
    scans: source(logs.listScans, tellScan),
    actions: source(store.listActions, tellAction),
  };
}
