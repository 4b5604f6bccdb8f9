import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Page } from "../../kit/page.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useMay } from "../../session.ts";
import { countsQuery } from "../../shell/queries.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { productsQuery } from "./queries.ts";
import { Queue } from "./queue.tsx";
import { groupOf, groups, type GroupId } from "./states.ts";
import { productWords } from "./words.ts";

const ImportProducts = lazy(async () => ({
  default: (await import("./import-products.tsx")).ImportProducts,
}));

/** Products by state: those that wait for a decision come first. */
export default function Products() {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const may = useMay();
  const group = groupOf(useSearchParts()["show"]);
  const list = useInfiniteQuery(productsQuery(environment, groups[group]));
  const counts = useQuery(countsQuery(environment)).data?.["products"];
  const [isImporting, setImporting] = useState(false);
  const action = may(["products:write"]) && (
    <Button icon="upload" onPress={() => setImporting(true)}>
      {words.import}
    </Button>
  );
  return (
    <Page title={words.title} description={words.description} actions={action}>
      <Tabs
        label={words.tabs}
        tabs={(Object.keys(groups) as GroupId[]).map((id) => ({
          id,
          label: words.groups[id],
          count: countOf(counts, groups[id]),
        }))}
        selected={group}
        onSelect={(id) =>
          void navigate({ to: ".", search: id === "approve" ? {} : { show: id }, replace: true })
        }
      >
        <Card isFlush>
          <Loaded query={list} lines={10}>
            {({ pages }) => {
              const rows = pages.flatMap(({ data }) => data);
              return rows.length === 0 ? (
                <Empty icon="tag" title={words.emptyTitles[group]} action={action}>
                  {words.emptyText}
                </Empty>
              ) : (
                <Queue
                  key={group}
                  products={rows}
                  onMore={
                    list.hasNextPage && !list.isFetchingNextPage
                      ? () => void list.fetchNextPage()
                      : undefined
                  }
                />
              );
            }}
          </Loaded>
        </Card>
      </Tabs>
      <Suspense fallback={null}>
        {isImporting && <ImportProducts onClose={() => setImporting(false)} />}
      </Suspense>
    </Page>
  );
}

/** How many products are in a tab; nothing for none, and for the tab of all. */
function countOf(counts: unknown, statuses: readonly string[]): number | null {
  if (typeof counts !== "object" || counts === null) return null;
  const by = counts as Record<string, number>;
  const names = statuses.map((status) => status.toLowerCase().replaceAll(" ", "_"));
  return names.reduce((sum, name) => sum + (by[name] ?? 0), 0) || null;
}
