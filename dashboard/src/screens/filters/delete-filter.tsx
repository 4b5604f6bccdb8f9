import { useQueryClient } from "@tanstack/react-query";
import type { Filter } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { filterWords } from "./words.ts";

/** Asks before a saved filter is deleted. */
export default function DeleteFilter({ filter, onClose }: { filter: Filter; onClose: () => void }) {
  const words = useWords(filterWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const submit = async () => {
    await waybill.filters.delete(filter.id);
    toast(words.deleted);
    onClose();
    await client.invalidateQueries({ queryKey: [environment, "filters"] });
  };
  return (
    <Confirm
      title={words.deleteTitle(filter.name)}
      action={words.delete}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
    >
      {words.deleteText}
    </Confirm>
  );
}
