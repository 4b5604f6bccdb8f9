import type { CarrierConnection } from "@waybill/sdk";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { carrierWords } from "./words.ts";

interface Props {
  connection: CarrierConnection;
  onDeleted: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a connection is deleted. */
export default function DeleteConnection({ connection, onDeleted, onClose }: Props) {
  const words = useWords(carrierWords);
  const { carrierConnections } = useWaybill();
  const submit = async () => {
    await carrierConnections.delete(connection.id);
    toast(words.deleted);
    onClose();
    await onDeleted();
  };
  return (
    <Confirm
      title={words.deleteTitle(connection.name)}
      action={words.delete}
      keep={words.cancel}
      onConfirm={submit}
      onClose={onClose}
    >
      {words.deleteText}
    </Confirm>
  );
}
