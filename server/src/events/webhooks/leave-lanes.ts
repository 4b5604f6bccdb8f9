import { isUnavailable } from "../../database/errors.ts";
import { step } from "../../domain/scheduling/step.ts";
import { ofWebhook, type DispatchContext } from "./dispatch-context.ts";
import { leaveWebhooks } from "./lane-store.ts";
import type { Lane, Lanes } from "./lanes.ts";

/** Leaves webhooks to any process, many at once. */
interface Leaver {
  /** All attempts of the lane have ended. */
  want(lane: Lane): void;
  /** Leaves what is wanted, one group after the other. Never throws. */
  leave(): Promise<void>;
}

const together = 200;

/** `unsure` gets the accounts of which this process may hold webhooks that it does not know. */
export function newLeaver(context: DispatchContext, lanes: Lanes, unsure: Set<string>): Leaver {
  const wanted = new Set<Lane>();
  let leaving: Promise<void> | null = null;

  function forget(lane: Lane): void {
    wanted.delete(lane);
    lanes.forget(lane);
  }

  async function leaveAll(): Promise<void> {
    while (wanted.size > 0) {
      const group = [...wanted].slice(0, together);
      for (const lane of group.filter(({ is_lost }) => is_lost)) {
        // The webhook may still be claimed by this process if only its heartbeat had lapsed.
        unsure.add(lane.account_id);
        forget(lane);
      }
      const held = group.filter(({ is_lost }) => !is_lost);
      if (held.length > 0 && !(await leaveGroup(held))) return;
      held.forEach(forget);
    }
  }

  /** False when the database is unavailable: a later call tries again. */
  async function leaveGroup(group: Lane[]): Promise<boolean> {
    const { db, process_id, log } = context;
    const held = group.map(({ account_id, webhook_id, fence }) => ({
      account_id,
      webhook_id,
      fence,
    }));
    try {
      await step(context, { name: "leave", of: ofWebhook }, () =>
        leaveWebhooks(db, { process_id, held }),
      );
    } catch (error) {
      if (isUnavailable(error)) return false;
      log.error({ err: error, count: held.length }, "webhooks.not_left");
      for (const { account_id } of held) unsure.add(account_id);
    }
    return true;
  }

  return {
    want: (lane) => void wanted.add(lane),
    leave: () => (leaving ??= leaveAll().finally(() => (leaving = null))),
  };
}
