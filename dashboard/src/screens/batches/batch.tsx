import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Batch } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Money } from "../../kit/money.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Progress } from "../../kit/progress.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { ownAddress, printFile } from "../../print/frame.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { usePathPart } from "../../url.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { BatchBadge } from "./batch-badge.tsx";
import { BatchItems } from "./batch-items.tsx";
import { batchQuery } from "./queries.ts";
import { useCurrency } from "./use-currency.ts";
import { batchWords } from "./words.ts";

/** One batch: how far it is, its one file of labels, and what became of each shipment. */
export default function BatchScreen() {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const batch_id = usePathPart("batch_id");
  const { data: batch, error, refetch } = useQuery(batchQuery(environment, batch_id));
  if (error && problemOf(error).status === 404)
    return <Empty icon="layers" title={words.missing} />;
  if (error)
    return (
      <Page title={words.batch}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!batch) return <Skeleton lines={12} />;
  return (
    <Page
      title={batch.name}
      badge={<BatchBadge status={batch.status} />}
      description={
        <>
          {words.shipments(batch.shipment_count)} · <Moment at={batch.created_at} />
        </>
      }
      actions={<Actions batch={batch} />}
    >
      {batch.status !== "open" && <Summary batch={batch} />}
      <BatchItems batch={batch} />
    </Page>
  );
}

function Summary({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const currency = useCurrency();
  const { shipment_count, processed_count, success_count, error_count } = batch;
  const isComing =
    batch.status !== "processing" && success_count > 0 && batch.combined_label_url === null;
  const facts: [string, React.ReactNode][] = [
    [words.summary.bought, success_count],
    [words.summary.failed, error_count],
    [words.summary.left, Math.max(0, shipment_count - processed_count)],
    [words.summary.cost, <Money key="cost" amount={batch.total_cost} currency={currency} />],
  ];
  return (
    <Card>
      <div className="flex flex-col gap-4" aria-live="polite">
        <Progress
          label={words.progress}
          done={processed_count}
          failed={error_count}
          total={shipment_count}
        />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt className="text-sm text-faint">{name}</dt>
              <dd className="tabular text-lg font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        {isComing && <p className="text-sm text-soft">{words.fileComing}</p>}
      </div>
    </Card>
  );
}

function Actions({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const may = useMay();
  const waybill = useWaybill();
  const { combined_label_url } = batch;
  // Links to files live for half an hour: a fresh one is read for printing.
  const print = async () => {
    const { data } = await waybill.batches.get(batch.id, { shipment_ids: "false" });
    if (data.combined_label_url) await printFile(data.combined_label_url);
  };
  return (
    <>
      {may(["labels:create"]) && batch.status !== "processing" && batch.status !== "completed" && (
        <Start batch={batch} />
      )}
      {combined_label_url && (
        <>
          <a
            href={ownAddress(combined_label_url)}
            target="_blank"
            rel="noopener"
            className="inline-flex h-9 items-center gap-1.5 px-2 text-soft underline-offset-4 hover:underline"
          >
            <Icon name="external" /> {words.download}
          </a>
          <Button variant="primary" icon="printer" onPress={() => void print()}>
            {words.print}
          </Button>
        </>
      )}
    </>
  );
}

/** Buys what is open, or what failed, again. */
function Start({ batch }: { batch: Batch }) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`batch.process.${batch.id}`);
  const isOpen = batch.status === "open";
  // What is bought again keeps the service of the first time.
  const wanted = isOpen ? ({ service: "cheapest" } as const) : {};
  const submit = async () => {
    await key.send((idempotencyKey) =>
      waybill.batches.process(batch.id, wanted, { idempotencyKey }),
    );
    toast(words.started);
    await client.invalidateQueries({ queryKey: [environment, "batch", batch.id] });
  };
  return (
    <Form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      {({ isPending }) => (
        <>
          {isOpen && <span className="text-sm text-soft">{words.serviceOfEach}</span>}
          <Button
            type="submit"
            {...(isOpen ? { variant: "primary" as const } : {})}
            icon={isOpen ? "bolt" : "refresh"}
            isPending={isPending}
          >
            {isOpen ? words.buy : words.retry(batch.error_count)}
          </Button>
        </>
      )}
    </Form>
  );
}
