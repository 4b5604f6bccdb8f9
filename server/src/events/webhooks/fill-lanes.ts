import { isUnavailable } from "../../database/errors.ts";
import { onBehalfOf } from "../../database/driver/on-behalf-of.ts";
import type { DispatchContext } from "./dispatch-context.ts";
import { dueAtOnce, readDue } from "./lane-store.ts";
import type { Lane, Lanes } from "./lanes.ts";

/** Reads what is due for lanes, those of an account together, and a few accounts at once. */
interface Filler {
  /** Read soon, together with others of the account. */
  want(lane: Lane): void;
  /** Resolves when nothing is being read. */
  idle(): Promise<void>;
}

const accountsAtOnce = 8;

export function newFiller(
  context: DispatchContext,
  lanes: Lanes,
  onFilled: (lane: Lane) => void,
): Filler {
  const wanted = new Map<string, Lane[]>();
  const running = new Set<Promise<void>>();

  function begin(): void {
    for (const [account_id, own] of wanted) {
      if (running.size >= accountsAtOnce) return;
      wanted.delete(account_id);
      const reading = onBehalfOf(account_id, () => read(account_id, own)).finally(() => {
        running.delete(reading);
        begin();
      });
      running.add(reading);
    }
  }

  async function read(account_id: string, own: Lane[]): Promise<void> {
    try {
      await fill(account_id, own);
    } catch (error) {
      // Read again by a later tick; the loop's own statements report a database that is away.
      if (!isUnavailable(error)) context.log.error({ account_id, err: error }, "webhooks.not_read");
    }
    for (const lane of own) {
      lane.is_filling = false;
      onFilled(lane);
    }
  }

  async function fill(account_id: string, own: Lane[]): Promise<void> {
    const { db, process_id, lease_seconds } = context;
    const webhook_ids = own.map(({ webhook_id }) => webhook_id);
    const in_hand = own.flatMap((lane) => [...lane.in_hand]);
    const asked_at = performance.now();
    const [filled, secrets] = await Promise.all([
      readDue(db, { account_id, webhook_ids, in_hand, process_id, lease_seconds }),
      context.secretsOf(account_id, webhook_ids),
    ]);
    const found = new Map(filled.map((each) => [each.webhook_id, each]));
    for (const lane of own) {
      const mine = found.get(lane.webhook_id);
      if (mine?.fence !== lane.fence) {
        lane.is_lost = true;
        lanes.close(lane);
        continue;
      }
      lane.filled_at = performance.now();
      lane.is_exhausted = mine.due.length < dueAtOnce;
      if (lane.is_closing) continue;
      // The heartbeat was at most half a lease old then, so no process takes the webhook over within the other half.
      const good_until = asked_at + lease_seconds * 400;
      lanes.fill(lane, mine, { secrets: secrets.get(lane.webhook_id) ?? [], good_until });
    }
  }

  return {
    want(lane) {
      lane.is_filling = true;
      const own = wanted.get(lane.account_id);
      if (own) own.push(lane);
      else {
        if (wanted.size === 0) setImmediate(begin);
        wanted.set(lane.account_id, [lane]);
      }
    },
    async idle() {
      wanted.clear();
      await Promise.all(running);
    },
  };
}
