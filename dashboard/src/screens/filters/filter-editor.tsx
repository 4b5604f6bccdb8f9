import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Criteria, Filter, FilterTarget } from "@waybill/sdk";
import { useEffect, useState } from "react";
import { CriteriaBuilder } from "../../criteria/builder.tsx";
import { newCriteria } from "../../criteria/fields.ts";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { filterWords } from "./words.ts";

/** A filter being made or changed, with the number that match while it is edited. */
export default function FilterEditor({
  filter,
  onClose,
}: {
  filter: Filter | null;
  onClose: () => void;
}) {
  const words = useWords(filterWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`filter.${filter?.id ?? "new"}`);
  const [name, setName] = useState(filter?.name ?? "");
  const [target, setTarget] = useState<FilterTarget>(filter?.target ?? "shipments");
  const [criteria, setCriteria] = useState<Criteria>(filter?.criteria ?? newCriteria);
  const submit = async () => {
    const body = { name, target, criteria };
    await key.send((idempotencyKey) =>
      filter
        ? waybill.filters.replace(filter.id, body, { idempotencyKey })
        : waybill.filters.create(body, { idempotencyKey }),
    );
    toast(words.saved);
    onClose();
    await client.invalidateQueries({ queryKey: [environment, "filters"] });
  };
  return (
    <Dialog
      title={filter ? words.edit(filter.name) : words.create}
      isOpen
      onOpenChange={onClose}
      size="lg"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField label={words.name} name="name" value={name} onChange={setName} autoFocus />
              <Select
                label={words.target}
                name="target"
                choices={Object.entries(words.targets).map(([id, label]) => ({ id, label }))}
                value={target}
                onChange={(id) => setTarget(id as FilterTarget)}
              />
            </div>
            <CriteriaBuilder value={criteria} onChange={setCriteria} target={target} />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Count target={target} criteria={criteria} />
              <DialogActions>
                <Button type="submit" variant="primary" isPending={isPending}>
                  {words.save}
                </Button>
              </DialogActions>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** How many match, asked for when the editing pauses; nothing while the conditions are not complete. */
function Count({ target, criteria }: { target: FilterTarget; criteria: Criteria }) {
  const words = useWords(filterWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const { locale } = useLocale();
  const [asked, setAsked] = useState({ target, criteria });
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ target, criteria }), 400);
    return () => clearTimeout(timer);
  }, [target, criteria]);
  const preview = useQuery({
    queryKey: [environment, "filter-preview", asked],
    queryFn: async ({ signal }) =>
      (await waybill.filters.preview({ ...asked, per_page: 1 }, { signal })).data,
    retry: false,
    gcTime: 10_000,
  });
  const text = preview.data
    ? words.matching(
        new Intl.NumberFormat(regionOf(locale)).format(preview.data.count),
        preview.data.count_capped,
      )
    : preview.isPending
      ? words.counting
      : "";
  return (
    <p role="status" className="tabular text-soft">
      {text}
    </p>
  );
}
