import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../../environment.ts";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import type { IconName } from "../../kit/icon-paths.ts";
import { LinkButton } from "../../kit/link-button.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { countsQuery } from "../../shell/queries.ts";
import { useWords } from "../../words/locale.tsx";
import { Report } from "./report.tsx";
import { overviewWords } from "./words.ts";

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
      {may(["reports:read"]) && <Report />}
    </Page>
  );
}

interface Task {
  word: "drafts" | "exceptions" | "pending" | "orders" | "products";
  icon: IconName;
  group: "shipments" | "orders" | "products";
  status: string;
  /** The screen that shows them, where there is one. */
  search?: string;
}

const tasks: Task[] = [
  { word: "drafts", icon: "box", group: "shipments", status: "draft", search: "draft" },
  {
    word: "exceptions",
    icon: "alert",
    group: "shipments",
    status: "exception",
    search: "exception",
  },
  {
    word: "pending",
    icon: "clock",
    group: "shipments",
    status: "purchase_pending",
    search: "purchase_pending",
  },
  { word: "orders", icon: "list", group: "orders", status: "unfulfilled" },
  { word: "products", icon: "flag", group: "products", status: "pending_approval" },
];

function ToDo() {
  const words = useWords(overviewWords);
  const environment = useEnvironment();
  const { data, error, refetch } = useQuery(countsQuery(environment));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  const waiting = tasks
    .map((task) => {
      const counts = data[task.group];
      return {
        ...task,
        count: typeof counts === "object" && counts ? (counts[task.status] ?? 0) : 0,
      };
    })
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
