import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { carrierName } from "../../kit/carrier-name.ts";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListCard } from "../../kit/list-card.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { useWords } from "../../words/locale.tsx";
import { healthQuery, reviewsQuery, type Review } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** What was asked of a carrier or a processor, and has an outcome that only a person can find out. */
export default function Reviews() {
  const words = useWords(operatorWords);
  const navigate = useNavigate();
  const list = useInfiniteQuery(reviewsQuery);
  const columns = useColumns();
  return (
    <Page title={words.reviews} description={words.reviewsText}>
      <Recovering />
      <ListCard
        list={list}
        label={words.reviews}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ reference }) => reference}
        onOpen={({ id }) => void navigate({ to: `/operator/reviews/${id}` as never })}
        empty={
          <Empty icon="check" title={words.noReviews}>
            {words.noReviewsText}
          </Empty>
        }
      />
    </Page>
  );
}

/** What Waybill still finds out by itself: there is nothing to decide about it. */
function Recovering() {
  const words = useWords(operatorWords);
  const { data } = useQuery(healthQuery);
  const count = (data?.open_attempts ?? [])
    .filter(({ status }) => status !== "review")
    .reduce((sum, each) => sum + each.count, 0);
  return count > 0 ? <Notice tone="info">{words.recovering(count)}</Notice> : null;
}

function useColumns(): Column<Review>[] {
  const words = useWords(operatorWords);
  const { reviewColumns } = words;
  return [
    {
      id: "kind",
      header: reviewColumns.what,
      onCard: "title",
      cell: ({ kind, carrier }) => (
        <span className="flex min-w-0 flex-col leading-snug">
          <span className="truncate font-medium">{words.kinds[kind] ?? kind}</span>
          <span className="truncate text-sm text-faint">{carrierName(carrier)}</span>
        </span>
      ),
    },
    {
      id: "account",
      header: reviewColumns.account,
      onCard: "hidden",
      cell: ({ account_id }) => <span className="font-mono text-xs">{account_id}</span>,
    },
    {
      id: "since",
      header: reviewColumns.since,
      width: "11rem",
      cell: ({ sent_at }) => <Moment at={sent_at} form="relative" />,
    },
    {
      id: "held",
      header: reviewColumns.held,
      width: "9rem",
      align: "end",
      onCard: "aside",
      cell: ({ held, currency }) => <Money amount={held} currency={currency} />,
    },
  ];
}
