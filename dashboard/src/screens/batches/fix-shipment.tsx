import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BatchItem, Body, Shipment } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { fromDraft, toDraft, type ShownAddress } from "../../kit/address.ts";
import { AddressFields } from "../../kit/address-fields.tsx";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { whyFailed } from "./why-failed.ts";
import { batchWords } from "./words.ts";

interface Props {
  batch_id: string;
  item: BatchItem;
  onClose: () => void;
}

/** Changes a shipment that could not be bought, and has its batch try what failed again. */
export default function FixShipment({ batch_id, item, onClose }: Props) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const { data, error, refetch } = useQuery({
    queryKey: [environment, "shipment", item.shipment_id],
    queryFn: async () => (await waybill.shipments.get(item.shipment_id)).data,
  });
  return (
    <Dialog title={words.fixTitle} isOpen onOpenChange={onClose} size="lg">
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Fields batch_id={batch_id} item={item} shipment={data} onClose={onClose} />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  );
}

function Fields({ batch_id, item, shipment, onClose }: Props & { shipment: Shipment }) {
  const words = useWords(batchWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const saving = useFormKey(`shipment.update.${item.shipment_id}`);
  const starting = useFormKey(`batch.process.${batch_id}`);
  const [address, setAddress] = useState(() => toDraft(shipment.to_address as ShownAddress));
  const [first] = shipment.type === "courier" ? shipment.packages : [];
  const [weight, setWeight] = useState(first?.weight ?? NaN);
  const submit = async () => {
    const changes = { to_address: fromDraft(address), ...packagesWith(shipment, weight) };
    await saving.send((idempotencyKey) =>
      waybill.shipments.update(item.shipment_id, changes as Body<"updateShipment">, {
        idempotencyKey,
      }),
    );
    await starting.send((idempotencyKey) =>
      waybill.batches.process(batch_id, {}, { idempotencyKey }),
    );
    toast(words.started);
    await client.invalidateQueries({ queryKey: [environment] });
    onClose();
  };
  return (
    <Form onSubmit={submit}>
      {({ isPending }) => (
        <>
          {item.error && (
            <Notice tone="warn">
              <span lang="en">{whyFailed(item.error)}</span>
            </Notice>
          )}
          <AddressFields path="to_address" value={address} onChange={setAddress} />
          {first && (
            <NumberField
              label={words.weight}
              name="packages.0.weight"
              value={weight}
              onChange={setWeight}
              suffix={first.weight_unit}
              className="w-40"
            />
          )}
          <DialogActions>
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button type="submit" variant="primary" isPending={isPending}>
              {words.save}
            </Button>
          </DialogActions>
        </>
      )}
    </Form>
  );
}

/** The parcels with the first one's weight changed; nothing where it stays, as a change is a whole list. */
function packagesWith(shipment: Shipment, weight: number) {
  if (shipment.type !== "courier" || shipment.packages[0]?.weight === weight) return {};
  const packages = shipment.packages.map(({ id: _, tracking_code: __, ...each }, index) =>
    index === 0 ? { ...each, weight } : each,
  );
  return { packages };
}
