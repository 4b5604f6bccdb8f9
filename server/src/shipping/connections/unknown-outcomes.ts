import type { LookUp } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { writeWaitSeconds } from "../../journal/write-journal.ts";
import { proofAfter, type OutcomeLookUp } from "../../outbound/operation.ts";
import { queueSeconds } from "../../outbound/outbound.ts";

/**
 * What becomes of an effect at a carrier whose outcome was not heard, and that no lookup finds: what its
 * absence proves is the carrier's fact, and what is done where it proves nothing the operator's choice.
 */
export async function lookUpOf(
  platform: Pick<Platform, "outbound" | "connections" | "unheard_policy">,
  lookUp: LookUp,
  { account_id, input, is_noted }: { account_id: string; input: Searched; is_noted?: boolean },
): Promise<OutcomeLookUp | null> {
  if (lookUp.by === "none") return null;
  const { absence } = lookUp;
  const connection_id = input.look_up?.connection_id ?? null;
  // On a connection a call may be noted before it waits for its turn.
  const noteSeconds =
    (is_noted ?? connection_id !== null) ? writeWaitSeconds(platform.outbound) : 0;
  const connection = await platform.connections.find(account_id, connection_id);
  const isSandbox = connection?.environment === "test";
  const horizonSeconds = Math.min(
    lookUp.after_seconds,
    isSandbox ? sandboxHorizonSeconds : Infinity,
  );
  const after_seconds = noteSeconds + queueSeconds(platform.outbound) + horizonSeconds;
  if (absence === "proof") return proofAfter(after_seconds);
  const policy = await platform.unheard_policy(account_id, connection_id);
  return { absence, after_seconds, releases: policy === "release_and_watch" };
}

/**
 * In the sandbox the simulator answers for every carrier: it shows at once what it sold, and drops a request that has
 * waited for four seconds. A client need not wait there as long as the carrier itself may take.
 */
const sandboxHorizonSeconds = 5;

interface Searched {
  look_up?: { connection_id: string | null };
}
