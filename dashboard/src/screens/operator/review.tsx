import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Badge } from "../../kit/badge.tsx";
import { Card } from "../../kit/card.tsx";
import { carrierName } from "../../kit/carrier-name.ts";
import { Copy } from "../../kit/copy.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Decide } from "./decide.tsx";
import { reviewQuery, type Review } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** One unknown outcome: what was asked, what is known, and the decision. */
export default function ReviewScreen() {
  const words = useWords(operatorWords);
  const { data: review, error, refetch } = useQuery(reviewQuery(usePathPart("attempt_id")));
  if (error && problemOf(error).status === 404)
    return <Empty icon="search" title={words.noSuchReview} />;
  if (error)
    return (
      <Page title={words.review}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!review) return <Skeleton lines={10} />;
  return (
    <Page
      title={`${words.kinds[review.kind] ?? review.kind} · ${carrierName(review.carrier)}`}
      badge={
        <Badge tone={review.status === "open" ? "warn" : "neutral"}>
          {words.decisions[review.status]}
        </Badge>
      }
      actions={
        <LinkButton to={`/operator/accounts/${review.account_id}`} icon="user">
          {words.toAccount}
        </LinkButton>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Known review={review} />
          {review.status === "open" ? (
            <Decide key={review.id} review={review} />
          ) : (
            <Decided review={review} />
          )}
        </div>
        <Asked review={review} />
      </div>
    </Page>
  );
}

function Asked({ review }: { review: Review }) {
  const words = useWords(operatorWords);
  const facts: [string, ReactNode][] = [
    [words.sentAt, <Moment key="sent" at={review.sent_at} />],
    [words.reference, <Code key="reference" text={review.reference} />],
    [words.shipment, review.shipment_id && <Code key="shipment" text={review.shipment_id} />],
    [words.account, <Code key="account" text={review.account_id} />],
    [
      words.heldMoney,
      review.held !== null && <Money key="held" amount={review.held} currency={review.currency} />,
    ],
  ];
  return (
    <Card title={words.asked}>
      <dl className="flex flex-col gap-3">
        {facts
          .filter(([, value]) => value !== null && value !== false)
          .map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-faint">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

function Code({ text }: { text: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 font-mono text-sm break-all">{text}</span>
      <Copy text={text} />
    </span>
  );
}

/** The last answer and the advice, in the API's sentences. */
function Known({ review: { last_failure, advice } }: { review: Review }) {
  const words = useWords(operatorWords);
  return (
    <Card title={words.known}>
      <div className="flex flex-col gap-3">
        {last_failure && (
          <div>
            <p className="text-sm text-faint">{words.lastAnswer}</p>
            <p lang="en">{last_failure.message}</p>
            <p className="font-mono text-xs text-faint">{last_failure.code}</p>
          </div>
        )}
        {advice && <p lang="en">{advice}</p>}
      </div>
    </Card>
  );
}

function Decided({ review: { status, decision } }: { review: Review }) {
  const words = useWords(operatorWords);
  return (
    <Card title={words.decision}>
      <p className="font-medium">{words.decisions[status]}</p>
      {decision && (
        <p className="mt-1 text-soft">
          <span className="break-all">{decision.by}</span> · <Moment at={decision.decided_at} />
        </p>
      )}
      {decision?.note && <p className="mt-3">{decision.note}</p>}
    </Card>
  );
}
