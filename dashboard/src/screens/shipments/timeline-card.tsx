import { useInfiniteQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import type { IconName } from "../../kit/icon-paths.ts";
import { Moment } from "../../kit/moment.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useWords } from "../../words/locale.tsx";
import { timelineQuery } from "./queries.ts";
import { shipmentWords } from "./words.ts";

const icons: Record<string, IconName> = {
  request: "code",
  quote: "list",
  rule: "rule",
  attempt: "bolt",
  carrier_call: "truck",
  ledger: "card",
  event: "flag",
  delivery: "webhook",
  tracking: "pin",
  operator: "user",
};

/** What happened and why, in the API's sentences, each with its moment. */
export function TimelineCard({ id }: { id: string }) {
  const words = useWords(shipmentWords);
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(timelineQuery(useEnvironment(), id));
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Card title={words.timeline}>
      {isPending ? (
        <Skeleton lines={5} />
      ) : error ? (
        <Failure isInline error={error} onRetry={() => void refetch()} />
      ) : entries.length === 0 ? (
        <p className="text-soft">{words.timelineNone}</p>
      ) : (
        <ol className="flex flex-col">
          {entries.map((entry, index) => (
            <li key={entry.id} className="relative flex gap-3 pb-3.5 last:pb-0">
              {index < entries.length - 1 && (
                <span className="absolute top-7 bottom-0 left-3 w-px bg-line" />
              )}
              <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-soft">
                <Icon name={icons[entry.kind] ?? "info"} className="size-3.5" />
              </span>
              <span className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-4">
                <span lang="en" className="min-w-0 break-words">
                  {entry.title}
                </span>
                <span className="text-sm text-faint">
                  <Moment at={entry.at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button
          size="sm"
          isPending={isFetchingNextPage}
          onPress={() => void fetchNextPage()}
          className="mt-3"
        >
          {words.timelineMore}
        </Button>
      )}
    </Card>
  );
}
