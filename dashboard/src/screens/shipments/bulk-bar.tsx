import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { kitWords } from "../../kit/words.ts";
import { TextField } from "../../kit/text-field.tsx";
import { printFile } from "../../print/frame.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

interface Props {
  shipments: Shipment[];
  onDone: () => void;
}

/** What can be done to the selected rows; each button works on those whose state allows it. */
export function BulkBar({ shipments, onDone }: Props) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const may = useMay();
  const [dialog, setDialog] = useState<"buy" | "void" | null>(null);
  const drafts = shipments.filter(({ status, on_hold }) => status === "draft" && !on_hold);
  const labelled = shipments.filter(({ label_url }) => label_url !== null);
  const voidable = shipments.filter(
    ({ status, type }) => status === "purchased" && type === "courier",
  );
  const print = async () => {
    for (const { label_url } of labelled) if (label_url) await printFile(label_url);
  };
  return (
    <div
      role="region"
      aria-label={kit.selected(shipments.length)}
      className="appear sticky bottom-4 z-10 mx-auto flex max-w-full flex-wrap items-center gap-2 rounded-xl border border-line bg-raised py-2 pr-2 pl-4 shadow-raised"
    >
      <span className="tabular mr-2 font-medium">{kit.selected(shipments.length)}</span>
      {may(["labels:create"]) && (
        <Button
          size="sm"
          icon="bolt"
          isDisabled={drafts.length === 0}
          onPress={() => setDialog("buy")}
        >
          {words.buy}
        </Button>
      )}
      <Button
        size="sm"
        icon="printer"
        isDisabled={labelled.length === 0}
        onPress={() => void print()}
      >
        {words.print}
      </Button>
      {may(["shipments:void"]) && (
        <Button
          size="sm"
          icon="ban"
          isDisabled={voidable.length === 0}
          onPress={() => setDialog("void")}
        >
          {words.void}
        </Button>
      )}
      <Button
        variant="quiet"
        size="icon"
        icon="close"
        aria-label={kit.clearSelection}
        onPress={onDone}
      />
      <BuyDialog
        shipments={drafts}
        isOpen={dialog === "buy"}
        onClose={() => setDialog(null)}
        onDone={onDone}
      />
      <VoidDialog
        shipments={voidable}
        isOpen={dialog === "void"}
        onClose={() => setDialog(null)}
        onDone={onDone}
      />
    </div>
  );
}

interface DialogProps extends Props {
  isOpen: boolean;
  onClose: () => void;
}

function BuyDialog({ shipments, isOpen, onClose, onDone }: DialogProps) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const environment = useEnvironment();
  const client = useQueryClient();
  const navigate = useNavigate();
  const making = useFormKey("batch.create");
  const starting = useFormKey("batch.process");
  const [name, setName] = useState(() => new Date().toISOString().slice(0, 16).replace("T", " "));
  const submit = async () => {
    const shipment_ids = shipments.map(({ id }) => id);
    const { data } = await making.send((idempotencyKey) =>
      waybill.batches.create({ name, shipment_ids }, { idempotencyKey }),
    );
    await starting.send((idempotencyKey) =>
      waybill.batches.process(data.id, {}, { idempotencyKey }),
    );
    toast(words.batchStarted);
    await client.invalidateQueries({ queryKey: [environment] });
    onClose();
    onDone();
    await navigate({ to: `/${environment}/shipments` as never });
  };
  return (
    <Dialog title={words.buyTitle} isOpen={isOpen} onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.buyText(shipments.length)}</p>
            <TextField label={words.batchName} name="name" value={name} onChange={setName} />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.startBatch}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function VoidDialog({ shipments, isOpen, onClose, onDone }: DialogProps) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const environment = useEnvironment();
  const client = useQueryClient();
  const submit = async () => {
    let failed = 0;
    // One after the other: each is a call to a carrier, which a void repeated changes nothing at.
    for (const { id } of shipments) await waybill.shipments.void(id, {}).catch(() => (failed += 1));
    toast(words.voided(shipments.length - failed, failed), failed === 0 ? "good" : "danger");
    await client.invalidateQueries({ queryKey: [environment] });
    onClose();
    onDone();
  };
  return (
    <Dialog
      title={words.voidTitle}
      role="alertdialog"
      isOpen={isOpen}
      onOpenChange={onClose}
      size="sm"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.voidText(shipments.length)}</p>
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.voidConfirm}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
