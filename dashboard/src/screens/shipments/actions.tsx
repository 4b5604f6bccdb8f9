import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { printFile } from "../../print/frame.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** What the shipment's state and the person's role allow. */
export function Actions({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const waybill = useWaybill();
  const may = useMay();
  const [dialog, setDialog] = useState<"void" | "delete" | null>(null);
  const canVoid =
    shipment.type === "courier" && shipment.status === "purchased" && may(["shipments:void"]);
  const canDelete = shipment.status === "draft" && may(["shipments:write"]);
  // Links to files live for half an hour: a fresh one is read for printing.
  const print = async () => {
    const { data } = await waybill.labels.get(shipment.id);
    if (data.label_url) await printFile(data.label_url);
  };
  return (
    <>
      {canDelete && (
        <Button icon="trash" onPress={() => setDialog("delete")}>
          {words.delete}
        </Button>
      )}
      {canVoid && (
        <Button icon="ban" onPress={() => setDialog("void")}>
          {words.voidOne}
        </Button>
      )}
      {shipment.label_url && (
        <Button variant="primary" icon="printer" onPress={() => void print()}>
          {words.printLabel}
        </Button>
      )}
      <VoidOne shipment={shipment} isOpen={dialog === "void"} onClose={() => setDialog(null)} />
      <DeleteOne shipment={shipment} isOpen={dialog === "delete"} onClose={() => setDialog(null)} />
    </>
  );
}

interface Props {
  shipment: Shipment;
  isOpen: boolean;
  onClose: () => void;
}

function VoidOne({ shipment, isOpen, onClose }: Props) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`void.${shipment.id}`);
  const submit = async () => {
    await key.send((idempotencyKey) => waybill.shipments.void(shipment.id, {}, { idempotencyKey }));
    await client.invalidateQueries({ queryKey: [environment] });
    toast(words.voidDone);
    onClose();
  };
  return (
    <Dialog
      title={words.voidOne}
      role="alertdialog"
      isOpen={isOpen}
      onOpenChange={onClose}
      size="sm"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.voidOneText}</p>
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.voidOne}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function DeleteOne({ shipment, isOpen, onClose }: Props) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const submit = async () => {
    await waybill.shipments.delete(shipment.id);
    toast(words.deleted);
    await navigate({ to: `/${environment}/shipments` as never });
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Dialog
      title={words.delete}
      role="alertdialog"
      isOpen={isOpen}
      onOpenChange={onClose}
      size="sm"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.deleteText}</p>
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.delete}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
