import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useEnvironment } from "../../environment.ts";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import type { IconName } from "../../kit/icon-paths.ts";
import { LinkButton } from "../../kit/link-button.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { countOf, countsQuery, productsToApprove, type Counted } from "../../shell/queries.ts";
import { useWords } from "../../words/locale.tsx";
import { overviewWords } from "./words.ts";

const Report = lazy(async () => ({ default: (await import("./report.tsx")).Report }));

/** What there is to do, and what was shipped and spent. */
export default function Overview() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const may = useMay();
  const action = may(["labels:create"]) && (
    <LinkButton to={`/${environment}/shipments/new`} variant="primary" icon="plus">
      {words.ship}
    </LinkButton>
  );
  return (
    <Page title={words.title} actions={action}>
      <ToDo />
      <Suspense fallback={<Skeleton lines={8} />}>{may(["reports:read"]) && <Report />}</Suspense>
    </Page>
  );
}

interface Task {
  word: "drafts" | "exceptions" | "pending" | "orders" | "products";
  icon: IconName;
  counted: Counted;
  /** The screen that shows them, where there is one. */
  search?: string;
}

const shipments = (status: string) => ({
  counted: { of: "shipments" as const, statuses: [status] },
  search: status,
});

const tasks: Task[] = [
  { word: "drafts", icon: "box", ...shipments("draft") },
  { word: "exceptions", icon: "alert", ...shipments("exception") },
  { word: "pending", icon: "clock", ...shipments("purchase_pending") },
  { word: "orders", icon: "list", counted: { of: "orders", statuses: ["unfulfilled"] } },
  { word: "products", icon: "flag", counted: productsToApprove },
];

function ToDo() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery(countsQuery(environment));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  const waiting = tasks
    .map((task) => ({ ...task, count: countOf(data, task.counted) }))
    .filter(({ count }) => count > 0);
  return (
    <section aria-label={words.toDo}>
      {waiting.length === 0 ? (
        <p className="flex items-center gap-2 text-soft">
          <Icon name="check" className="size-4 text-good" /> {words.nothingToDo}
        </p>
      ) : (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
          {waiting.map(({ word, icon, count, search }) => {
            const tile = (
              <>
                <span className="flex items-center gap-2 text-soft">
                  <Icon name={icon} /> {words[word]}
                </span>
                <span className="tabular mt-1 block text-2xl font-semibold">{count}</span>
              </>
            );
            const style =
              "block h-full rounded-xl border border-line bg-surface px-4 py-3 shadow-card";
            return (
              <li key={word}>
                {search ? (
                  <Link
                    to={`/${environment}/shipments` as never}
                    search={{ status: search } as never}
                    className={`${style} hover:bg-hover`}
                  >
                    {tile}
                  </Link>
                ) : (
                  <div className={style}>{tile}</div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
