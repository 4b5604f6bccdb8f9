import type { ReactNode } from "react";
import { Card } from "./card.tsx";
import { DataTable, type Column } from "./data-table.tsx";
import { Failure } from "./failure.tsx";
import { Skeleton } from "./skeleton.tsx";

/** A list that is read page by page, as an infinite query gives it. */
interface PagedList<Row> {
  data: { pages: { data: readonly Row[] }[] } | undefined;
  error: unknown;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface Props<Row> {
  list: PagedList<Row>;
  label: string;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  onOpen?: (row: Row) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (ids: ReadonlySet<string>) => void;
  /** What stands in its place when it has no rows. */
  empty: ReactNode;
  /** Says below it how many rows are there. */
  loaded?: (count: number, hasMore: boolean) => string;
}

/** The rows of a list that was read so far. */
export function rowsOf<Row>({ data }: Pick<PagedList<Row>, "data">): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}

/** A list in its four states: on its way, failed, empty, and there, with more of it read at its end. */
export function ListCard<Row>({ list, empty, loaded, ...table }: Props<Row>) {
  const rows = rowsOf(list);
  const hasMore = list.hasNextPage && !list.isFetchingNextPage;
  return (
    <>
      <Card isFlush>
        {list.isPending ? (
          <Skeleton lines={10} />
        ) : list.error ? (
          <div className="p-4">
            <Failure error={list.error} onRetry={() => void list.refetch()} />
          </div>
        ) : rows.length === 0 ? (
          empty
        ) : (
          <DataTable
            {...table}
            rows={rows}
            {...(hasMore ? { onEnd: () => void list.fetchNextPage() } : {})}
            isLoadingMore={list.isFetchingNextPage}
          />
        )}
      </Card>
      {loaded && rows.length > 0 && (
        <p className="text-sm text-faint">{loaded(rows.length, list.hasNextPage)}</p>
      )}
    </>
  );
}
