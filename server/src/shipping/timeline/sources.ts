import type { Database } from "../../database/tables.ts";
import { describeAttempt } from "../../domain/timeline/describe-attempts.ts";
import {
  describeAction,
  describeDelivery,
  describeEvent,
  describeTransaction,
} from "../../domain/timeline/describe-facts.ts";
import {
  describeCall,
  describeRequest,
  describeScan,
} from "../../domain/timeline/describe-logs.ts";
import { describeRun } from "../../domain/timeline/describe-rules.ts";
import type { Entry } from "../../domain/timeline/entry.ts";
import type { DescriptionContext } from "../../domain/timeline/description.ts";
import * as logs from "./log-store.ts";
import type { Slice, TimelineScope } from "./scope.ts";
import * as store from "./store.ts";

/** Reads the next entries of one kind, and tells them. */
export type Source = (slice: Slice) => Promise<Entry[]>;

/** What a timeline can be made of: each is one read by an index. */
export function sourcesOf(db: Database, scope: TimelineScope, context: DescriptionContext) {
  const source =
    <Row>(
      list: (db: Database, scope: TimelineScope, slice: Slice) => Promise<Row[]>,
      describe: (row: Row, context: DescriptionContext) => Entry,
    ): Source =>
    async (slice) =>
      (await list(db, scope, slice)).map((row) => describe(row, context));
  return {
    requests: source(logs.listRequests, describeRequest),
    runs: source(store.listRuns, describeRun),
    attempts: source(store.listAttemptMoments, describeAttempt),
    calls: source(logs.listCarrierCalls, describeCall),
    transactions: source(store.listTransactions, describeTransaction),
    events: source(store.listEvents, describeEvent),
    deliveries: source(store.listDeliveries, describeDelivery),
    scans: source(logs.listScans, describeScan),
    actions: source(store.listActions, describeAction),
  };
}
