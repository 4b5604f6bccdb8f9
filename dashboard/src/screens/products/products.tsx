import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Page } from "../../kit/page.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useMay } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { ImportProducts } from "./import-products.tsx";
import { productsQuery } from "./queries.ts";
import { Queue } from "./queue.tsx";
import { productWords } from "./words.ts";

const tabs = [
  "Pending Approval",
  "Manufacturer Failed",
  "Imported",
  "Approved",
  "Rejected",
] as const;

/** Products by state: those that wait for a decision come first. */
export default function Products() {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const may = useMay();
  const { status = tabs[0] } = useSearchParts();
  const list = useInfiniteQuery(productsQuery(environment, status === "all" ? undefined : status));
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
        tabs={[
          ...tabs.map((id) => ({ id, label: words.statuses[id] })),
          { id: "all", label: words.all },
        ]}
        selected={status}
        onSelect={(id) =>
          void navigate({
            to: ".",
            search: id === tabs[0] ? {} : { status: id },
            replace: true,
          })
        }
      >
        <Card isFlush>
          <Loaded query={list} lines={10}>
            {({ pages }) => {
              const rows = pages.flatMap(({ data }) => data);
              return rows.length === 0 ? (
                <Empty icon="tag" title={words.emptyTitle} action={action}>
                  {words.emptyText}
                </Empty>
              ) : (
                <Queue
                  key={status}
                  products={rows}
                  onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
                />
              );
            }}
          </Loaded>
        </Card>
      </Tabs>
      {isImporting && <ImportProducts onClose={() => setImporting(false)} />}
    </Page>
  );
}
