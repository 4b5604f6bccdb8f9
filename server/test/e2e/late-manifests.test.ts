import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { CarrierManifests } from "../../src/carriers/capabilities.ts";
import { outcomeOf } from "../client.ts";
import { aLabelOf, handOver, showManifest } from "../manifests.ts";
import { attemptsOf, carriersWith, lookNow } from "../other-carriers.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/**
 * A manifest that its carrier makes after a lookup had proved that there is none: the request was on its way all that
 * time, as that of a process that was paused while it sent it.
 */

type Send = CarrierManifests["create"];

/** Carriers to which an account's requests for manifests are on their way from `delay` until they `arrive`, or are lost. */
function carriersFarAway() {
  const delayed = new Map<string, (() => ReturnType<Send>)[]>();
  const lookUps: string[] = [];
  const end = (account: TestAccount) => {
    const waiting = delayed.get(account.account_id) ?? [];
    delayed.delete(account.account_id);
    return waiting;
  };
  const carriers = carriersWith({}, (carrier) => {
    const { manifests, descriptor } = carrier;
    if (!manifests || !descriptor.manifests) return carrier;
    const create: Send = async (request, signal) => {
      const waiting = delayed.get(request.context.account_id);
      if (!waiting) return manifests.create(request, signal);
      waiting.push(() => manifests.create(request, AbortSignal.timeout(10_000)));
      throw new Error("the connection broke");
    };
    const lookUp = { by: "reference", absence: "proof", after_seconds: 1 } as const;
    return {
      ...carrier,
      descriptor: { ...descriptor, manifests: { ...descriptor.manifests, lookUp } },
      manifests: {
        ...manifests,
        create,
        lookUp(sent, abort) {
          lookUps.push(sent.context.account_id);
          return manifests.lookUp(sent, abort);
        },
      },
    };
  });
  return {
    carriers,
    lookUps: ({ account_id }: TestAccount) => lookUps.filter((id) => id === account_id).length,
    delay: ({ account_id }: TestAccount) => delayed.set(account_id, []),
    lose: (account: TestAccount) => void end(account),
    arrive: (account: TestAccount) => Promise.all(end(account).map((send) => send())),
  };
}

const far = carriersFarAway();
let world: World;
beforeAll(async () => {
  world = await aPlatform({}, { carriers: far.carriers });
});
afterAll(() => world.close());

/** A manifest of one label that was given up. */
async function aGivenUpManifest() {
  const account = await anAccount(world);
  const label = await aLabelOf(account);
  far.delay(account);
  const { id } = must(await handOver(account, [label]), 201).data;
  await vi.waitFor(async () => expect((await showManifest(account, id)).status).toBe("failed"), {
    timeout: 30_000,
    interval: 50,
  });
  return { account, id, label };
}

/** The next lookup, which would be a minute after it was given up. */
async function untilLookedUp(id: string): Promise<void> {
  await lookNow(world.db, id);
  await vi.waitFor(
    async () => {
      const [attempt] = await attemptsOf(world.db, id, "manifest");
      expect(attempt!.look_count).toBe(1);
    },
    { timeout: 20_000, interval: 20 },
  );
}

test.concurrent("an operator is told of it, once", async () => {
  const { account, id } = await aGivenUpManifest();
  await far.arrive(account);
  await lookNow(world.db, id);
  const review = await untilUnderReview(world, id);
  expect(review).toMatchObject({
    kind: "manifest",
    status: "open",
    last_failure: { code: "appeared_late" },
  });
  expect(review.advice).toContain("after it had been given up");
  expect((await showManifest(account, id)).status).toBe("failed");
  const stands = { decision: "stands", manifest: { carrier_manifest_id: "M1" } };
  expect(outcomeOf(await decide(world, review, stands))).toBe("409 conflict");

  expect(must(await decide(world, review, { decision: "void" }), 200).data.status).toBe("void");
  // No carrier takes it back, so that the same would be found again.
  expect(await attemptsOf(world.db, id, "manifest")).toMatchObject([
    { status: "absent", look_at: null },
  ]);
});

test.concurrent.each([
  [
    "one of the same labels that was made since is not taken for it",
    async (account: TestAccount, label: string) =>
      expect(must(await handOver(account, [label]), 201).data.status).toBe("created"),
  ],
  [
    "its carrier is not asked any more once its label is void",
    async (account: TestAccount, label: string) =>
      must(await account.post(`/shipments/${label}/void`, {}), 200),
  ],
])("%s", async (_name, since) => {
  const { account, id, label } = await aGivenUpManifest();
  // The first request never arrives.
  far.lose(account);
  await since(account, label);
  const calls = far.lookUps(account);
  await untilLookedUp(id);
  expect(far.lookUps(account)).toBe(calls);
  expect((await attemptsOf(world.db, id, "manifest"))[0]!.status).toBe("absent");
});
