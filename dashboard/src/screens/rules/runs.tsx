import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RuleRun } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Moment } from "../../kit/moment.tsx";
import { useWords } from "../../words/locale.tsx";
import { Changes } from "./changes.tsx";
import { runsQuery } from "./queries.ts";
import { ruleWords } from "./words.ts";

/** What a rule did, the newest first. */
export default function Runs({ id }: { id: string }) {
  const words = useWords(ruleWords);
  const list = useInfiniteQuery(runsQuery(useEnvironment(), id));
  return (
    <Card title={words.runsTitle}>
      <Loaded query={list} lines={4}>
        {({ pages }) => {
          const runs = pages.flatMap(({ data }) => data);
          if (runs.length === 0) return <p className="text-soft">{words.noRuns}</p>;
          return (
            <ul aria-label={words.runsTitle} className="divide-y divide-line">
              {runs.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {list.hasNextPage && (
        <Button
          size="sm"
          isPending={list.isFetchingNextPage}
          onPress={() => void list.fetchNextPage()}
          className="mt-3"
        >
          {words.showMore}
        </Button>
      )}
    </Card>
  );
}

const tones = { applied: "good", failed: "danger", rejected: "warn" } as const;

function Run({ run }: { run: RuleRun }) {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const { status, shipment_id, order_id, created_at, changes, error, purchase } = run;
  const path = shipment_id ? `shipments/${shipment_id}` : order_id ? `orders/${order_id}` : null;
  return (
    <li className="flex flex-col gap-1 py-2.5 first:pt-0">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={tones[status]}>{words.runStatuses[status]}</Badge>
        <span className="text-sm text-faint">
          <Moment at={created_at} form="relative" />
        </span>
      </span>
      {path && (
        <Link
          to={`/${environment}/${path}` as never}
          className="truncate font-mono text-xs text-accent hover:underline"
        >
          {shipment_id ?? order_id}
        </Link>
      )}
      <Changes changes={changes} />
      {error && (
        <p lang="en" className="text-sm text-soft">
          {error.message}
        </p>
      )}
      {purchase && <p className="text-sm text-soft">{words.purchases[purchase.status]}</p>}
    </li>
  );
}
