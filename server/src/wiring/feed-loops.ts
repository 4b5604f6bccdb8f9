import type { Platform } from "../context.ts";
import { activityOf } from "../domain/scheduling/activity.ts";
import { step } from "../domain/scheduling/step.ts";
import { countUnplaced } from "../events/feed/place-store.ts";
import { pruneEvents } from "../events/feed/prune.ts";
import { placer } from "../events/feed/place.ts";
import { pauseUntilWoken } from "../events/wake-placing.ts";
import { ofWebhook } from "../events/webhooks/dispatch-context.ts";
import type { Loop } from "../jobs/loops.ts";

/** Counted no further: a count must stay cheap when placing has long been behind. */
const countMax = 100_000;

/** What keeps the feeds of events. */
export function feedLoops({ db, metrics, config, outbound }: Platform): Loop[] {
  const place = placer(db);
  return [
    {
      name: "events.place",
      every_ms: 200,
      async run() {
        const { count, lag_seconds, is_more } = await step(
          outbound,
          { name: "place", of: ofWebhook },
          place,
        );
        if (count === 0) return false;
        metrics.events_place_lag_seconds.set(lag_seconds);
        // Others' events come by polls alone, which must not rest while there are any.
        activityOf(db).note();
        return is_more;
      },
      pause: pauseUntilWoken(db),
    },
    {
      name: "events.count",
      every_ms: 2000,
      async run() {
        metrics.events_unplaced.set(await countUnplaced(db, countMax));
        return false;
      },
    },
    {
      name: "events.prune",
      every_ms: 600_000,
      async run(signal) {
        await pruneEvents(db, config.events_days, signal);
        return false;
      },
    },
  ];
}
