import { useState } from "react";
import type { EachCall } from "../../each.ts";
import { sendWithKey } from "../../form-key.ts";
import { TextField } from "../../kit/text-field.tsx";
import { kitWords } from "../../kit/words.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import type { BulkProps } from "./bulk-bar.tsx";
import type { Chosen } from "./chosen.ts";
import { EachDialog } from "./each-dialog.tsx";
import { shipmentWords } from "./words.ts";

/** Gives several shipments tags beside those that they have. */
export default function AddTags(props: BulkProps) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const waybill = useWaybill();
  const [text, setText] = useState("");
  const added = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const add: EachCall<Chosen> = async ({ id }, options) => {
    // The API replaces all tags of a shipment: those that another person added since the list was read have to stay.
    const { data } = await waybill.shipments.get(id, options);
    const tags = [...new Set([...data.tags, ...added])];
    if (tags.length === data.tags.length) return;
    await sendWithKey(`tags.${id}`, (idempotencyKey) =>
      waybill.shipments.update(id, { tags }, { ...options, idempotencyKey }),
    );
  };
  return (
    <EachDialog
      {...props}
      title={words.tagTitle}
      action={words.tagTitle}
      keep={kit.cancel}
      isDisabled={added.length === 0}
      done={words.tagged}
      call={add}
    >
      <p className="text-soft">{words.tagText(props.shipments.length)}</p>
      <TextField
        label={words.tags}
        description={words.tagHint}
        value={text}
        onChange={setText}
        autoFocus
      />
    </EachDialog>
  );
}
