import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Money } from "../../kit/money.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { hashOf } from "../../import/chunk-key.ts";
import type { Import } from "../../import/kept.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { balanceQuery } from "./queries.ts";
import type { Importing } from "./use-import.ts";
import { batchWords } from "./words.ts";

interface Props {
  importing: Importing;
  state: Import;
}

/** How the labels are bought, and the start of it: a batch, which goes on without this page. */
export function ImportBuy({ importing, state }: Props) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const balance = useQuery(balanceQuery(environment, may(["credits:read"])));
  const [service, setService] = useState("cheapest");
  const shipment_ids = Object.values(state.created);
  const starting = useFormKey(`import.process.${state.file_hash}`);
  const submit = async () => {
    // One batch of these shipments, in whichever tab it is made.
    const idempotencyKey = await hashOf(["batch", state.file_hash, shipment_ids]);
    const { data } = await waybill.batches.create(
      { name: words.batchOf(state.name).slice(0, 100), shipment_ids },
      { idempotencyKey },
    );
    await starting.send((key) =>
      waybill.batches.process(data.id, { service }, { idempotencyKey: key }),
    );
    toast(words.started);
    await importing.discard();
    await client.invalidateQueries({ queryKey: [environment] });
    await navigate({ to: `/${environment}/batches/${data.id}` as never });
  };
  return (
    <Form onSubmit={submit} className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      {({ isPending }) => (
        <>
          <Card title={words.service}>
            <RadioGroup
              label={words.service}
              isLabelHidden
              name="service"
              description={words.serviceText}
              choices={Object.entries(words.strategies).map(([id, label]) => ({ id, label }))}
              value={service}
              onChange={setService}
            />
          </Card>
          <Card>
            <dl className="flex flex-col gap-2">
              <div className="flex justify-between gap-3">
                <dt className="text-soft">{words.ready}</dt>
                <dd className="tabular font-semibold">{shipment_ids.length}</dd>
              </div>
              {balance.data && (
                <div className="flex justify-between gap-3">
                  <dt className="text-soft">{words.available}</dt>
                  <dd className="font-semibold">
                    <Money amount={balance.data.available} currency={balance.data.currency} />
                  </dd>
                </div>
              )}
            </dl>
            {balance.error && (
              <Failure isInline error={balance.error} onRetry={() => void balance.refetch()} />
            )}
            <p className="my-4 text-sm text-faint">{words.totalText}</p>
            <Button
              type="submit"
              variant="primary"
              isPending={isPending}
              isDisabled={!may(["labels:create"])}
              className="h-11 w-full text-lg"
            >
              {words.buyLabels(shipment_ids.length)}
            </Button>
            <div className="mt-2 flex justify-center">
              <Button variant="quiet" onPress={() => importing.change({ step: "check" })}>
                {words.back}
              </Button>
            </div>
          </Card>
        </>
      )}
    </Form>
  );
}
