import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Form } from "../../kit/form.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { hashOf } from "../../import/chunk-key.ts";
import type { Import } from "../../import/stored-import.ts";
import { strategies, type Strategy } from "../../import/prices.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { ImportTotal } from "./import-total.tsx";
import type { Importing } from "./use-import.ts";
import type { Unpriced } from "./use-prices.ts";
import { batchWords } from "./words.ts";

interface Props {
  importing: Importing;
  state: Import;
}

/** How the labels are bought, what they would cost, and the start of it: a batch, which goes on without this page. */
export function ImportBuy({ importing, state }: Props) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const [service, setService] = useState<Strategy>("cheapest");
  const shipments = useMemo(() => shipmentsOf(state), [state]);
  const starting = useFormKey(`import.process.${state.file_hash}`);
  const submit = async () => {
    const shipment_ids = shipments.map(({ id }) => id);
    // One batch of these shipments, in whichever tab it is made.
    const idempotencyKey = hashOf(["batch", state.file_hash, shipment_ids]);
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
    <Form onSubmit={submit} className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {({ isPending }) => (
        <>
          <Card title={words.service}>
            <RadioGroup
              label={words.service}
              isLabelHidden
              name="service"
              description={words.serviceText}
              choices={strategies.map((id) => ({ id, label: words.strategies[id] }))}
              value={service}
              onChange={(id) => setService(id as Strategy)}
            />
          </Card>
          <Card>
            <ImportTotal shipments={shipments} strategy={service} />
            <p className="my-4 text-sm text-faint">{words.totalText}</p>
            <Button
              type="submit"
              variant="primary"
              isPending={isPending}
              isDisabled={!may(["labels:create"])}
              className="h-11 w-full text-lg"
            >
              {words.buyLabels(shipments.length)}
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

function shipmentsOf({ created, services }: Import): Unpriced[] {
  return Object.entries(created).map(([place, id]) => ({
    id,
    service: services?.[Number(place)] ?? null,
  }));
}
