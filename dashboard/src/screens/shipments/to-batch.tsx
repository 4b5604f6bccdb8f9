import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { kitWords } from "../../kit/words.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import type { BulkProps } from "./bulk-bar.tsx";
import { isDraft, type Chosen } from "./chosen.ts";
import { withoutUsed } from "./in-other-batches.ts";
import { openBatchesQuery } from "./queries.ts";
import { Refused } from "./refused.tsx";
import { shipmentWords } from "./words.ts";

interface Props extends BulkProps {
  /** The batch is bought at once. */
  isBuying?: boolean;
  /** Those of the chosen ones whose state does not allow it. */
  leftOut: readonly Chosen[];
}

/** Puts drafts into a batch. What has no place in it, or is in another one, is left out, and named. */
export default function ToBatch({ isBuying = false, leftOut, onClose, onDone, ...props }: Props) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const adding = useFormKey("batch.add");
  const starting = useFormKey("batch.process");
  const [shipments] = useState(props.shipments);
  const [added, setAdded] = useState<{ batch_id: string; used: readonly Chosen[] } | null>(null);
  const [isStarted, setStarted] = useState(false);
  const [chosen, setChosen] = useState(newBatch);
  const [name, setName] = useState(() => new Date().toISOString().slice(0, 16).replace("T", " "));
  const add = async () => {
    const { answer, used } = await withoutUsed(shipments, (shipment_ids) =>
      adding.send((idempotencyKey) =>
        chosen === newBatch
          ? waybill.batches.create({ name, shipment_ids }, { idempotencyKey })
          : waybill.batches.addShipments(chosen, { shipment_ids }, { idempotencyKey }),
      ),
    );
    return { batch_id: answer.data.id, used };
  };
  const done = (used: number) =>
    isBuying ? words.batchStarted : words.batched(shipments.length - used);
  const leave = async () => {
    onClose();
    onDone();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  const submit = async () => {
    if (isStarted) return leave();
    // A purchase that could not be started is started again, and not with another batch.
    const result = added ?? (await add());
    setAdded(result);
    if (isBuying)
      await starting.send((idempotencyKey) =>
        waybill.batches.process(result.batch_id, { service: "cheapest" }, { idempotencyKey }),
      );
    setStarted(true);
    if (result.used.length > 0) return;
    toast(done(0));
    await leave();
  };
  return (
    <Dialog
      title={isBuying ? words.buyTitle : words.batch}
      size="sm"
      isOpen
      onOpenChange={isStarted ? () => void leave() : onClose}
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            {isStarted && added ? (
              <>
                <p className="text-soft">{done(added.used.length)}</p>
                <Refused
                  title={words.inOtherBatch(added.used.length)}
                  shipments={added.used.map((shipment) => ({ shipment, why: null }))}
                />
              </>
            ) : (
              <>
                <p className="text-soft">
                  {(isBuying ? words.buyText : words.batchText)(shipments.length)}
                </p>
                {leftOut.length > 0 && (
                  <Refused
                    title={words.leftOut(leftOut.length)}
                    shipments={leftOut.map((shipment) => ({
                      shipment,
                      why: isDraft(shipment) ? words.onHold : words.statuses[shipment.status],
                    }))}
                  />
                )}
                {!isBuying && <BatchChoice value={chosen} onChange={setChosen} />}
                {chosen === newBatch && (
                  <TextField label={words.batchName} name="name" value={name} onChange={setName} />
                )}
              </>
            )}
            <DialogActions>
              {isStarted ? (
                <Button onPress={() => void leave()}>{kit.close}</Button>
              ) : (
                <Button type="submit" variant="primary" isPending={isPending}>
                  {isBuying ? words.startBatch : words.batch}
                </Button>
              )}
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const newBatch = "new";

/** A new batch, or one of those that nobody has bought yet. */
function BatchChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const words = useWords(shipmentWords);
  const open = useQuery(openBatchesQuery(useEnvironment())).data ?? [];
  return (
    <Select
      label={words.batchOf}
      choices={[
        { id: newBatch, label: words.newBatch },
        ...open.map(({ id, name, shipment_count }) => ({
          id,
          label: name,
          description: words.loaded(shipment_count, false),
        })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
