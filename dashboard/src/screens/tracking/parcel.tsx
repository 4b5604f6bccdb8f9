import { useQuery } from "@tanstack/react-query";
import type { Tracking } from "@waybill/sdk";
import { useMemo } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormDraft } from "../../form-draft.ts";
import { Button } from "../../kit/button.tsx";
import { carrierName } from "../../kit/carrier-name.ts";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Icon } from "../../kit/icon.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Day, Moment } from "../../kit/moment.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import type { TrackingNote } from "../../preferences.ts";
import { useWords } from "../../words/locale.tsx";
import { noteLengthMax } from "./notes.ts";
import { carrierPageQuery } from "./queries.ts";
import { trackingWords } from "./words.ts";

interface Props {
  tracking: Tracking;
  note: TrackingNote;
  onNote: (note: TrackingNote) => Promise<void>;
  onClose: () => void;
}

/** One parcel: its scans, its pages, and one's own note on it. */
export function Parcel({ tracking, note, onNote, onClose }: Props) {
  const words = useWords(trackingWords);
  const start = useMemo(
    () => ({ note: note.note ?? "", isHandled: note.handled_at !== undefined }),
    [note],
  );
  const { value: typed, change, drop } = useFormDraft(`tracking.${tracking.id}`, start);
  const submit = async () => {
    const handled_at = note.handled_at ?? new Date().toISOString();
    await onNote({ note: typed.note, ...(typed.isHandled ? { handled_at } : {}) });
    drop();
    toast(words.saved);
    onClose();
  };
  return (
    <Dialog title={words.detail(tracking.tracking_code)} isOpen onOpenChange={onClose} size="lg">
      <div className="flex flex-col gap-4">
        <Pages tracking={tracking} />
        {tracking.estimated_delivery_date && (
          <p className="text-soft">
            {words.expected}: <Day on={tracking.estimated_delivery_date} />
          </p>
        )}
        <Scans events={tracking.events} />
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <>
              <TextField
                label={words.note}
                rows={2}
                maxLength={noteLengthMax}
                description={words.noteHint}
                value={typed.note}
                onChange={(text) => change({ note: text })}
              />
              <Checkbox
                isSelected={typed.isHandled}
                onChange={(isHandled) => change({ isHandled })}
              >
                {words.handled}
              </Checkbox>
              <DialogActions>
                <Button type="submit" variant="primary" isPending={isPending}>
                  {words.save}
                </Button>
              </DialogActions>
            </>
          )}
        </Form>
      </div>
    </Dialog>
  );
}

function Pages({ tracking }: { tracking: Tracking }) {
  const words = useWords(trackingWords);
  const environment = useEnvironment();
  const mayRead = useMay()(["shipments:read"]);
  const { data: carrierPage } = useQuery(
    carrierPageQuery(environment, tracking.shipment_id, mayRead),
  );
  return (
    <nav aria-label={words.links} className="flex flex-wrap gap-2">
      {mayRead && (
        <LinkButton to={`/${environment}/shipments/${tracking.shipment_id}`} size="sm" icon="box">
          {words.shipment}
        </LinkButton>
      )}
      <Outside href={tracking.public_url}>{words.publicPage}</Outside>
      {carrierPage && (
        <Outside href={carrierPage}>{words.carrierPage(carrierName(tracking.carrier))}</Outside>
      )}
    </nav>
  );
}

function Outside({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-sm font-medium shadow-card hover:bg-hover"
    >
      <Icon name="external" />
      {children}
    </a>
  );
}

function Scans({ events }: Pick<Tracking, "events">) {
  const words = useWords(trackingWords);
  if (events.length === 0) return <p className="text-soft">{words.noScans}</p>;
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-medium">{words.scans}</h3>
      <ol className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-lg border border-line px-3.5 py-2.5 text-sm">
        {events.map((event) => (
          <li key={event.occurred_at + event.carrier_code}>
            <span lang="en" className="block">
              {event.description ?? event.carrier_code}
            </span>
            <span className="text-soft">
              {[event.location?.city, event.location?.province_code].filter(Boolean).join(", ")}
              {event.location && " · "}
              <Moment at={event.occurred_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
