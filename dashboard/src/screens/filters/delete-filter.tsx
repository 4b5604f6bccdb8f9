import { useQueryClient } from "@tanstack/react-query";
import type { Filter } from "@waybill/sdk";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
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
    <Dialog
      title={words.deleteTitle(filter.name)}
      role="alertdialog"
      isOpen
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
