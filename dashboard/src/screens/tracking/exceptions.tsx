import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Tracking } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Card } from "../../kit/card.tsx";
import { carrierName } from "../../kit/carrier-name.ts";
import { Checkbox } from "../../kit/checkbox.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Day, Moment } from "../../kit/moment.tsx";
import { Page } from "../../kit/page.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Switch } from "../../kit/switch.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { preferencesQuery, useChangePreferences, type TrackingNote } from "../../preferences.ts";
import { toast } from "../../shell/toasts.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { withNote } from "./notes.ts";
import { trackingQuery, trackingTabs, type TrackingTab } from "./queries.ts";
import { trackingWords } from "./words.ts";

const Parcel = lazy(async () => ({ default: (await import("./parcel.tsx")).Parcel }));

/** Parcels that need a person: by what is wrong, with one's own note on each. */
export default function Exceptions() {
  const words = useWords(trackingWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { tab = "", hide } = useSearchParts();
  const shown = Object.hasOwn(trackingTabs, tab) ? (tab as TrackingTab) : "exception";
  const list = useInfiniteQuery(trackingQuery(environment, shown));
  const notes = useQuery(preferencesQuery).data?.tracking ?? {};
  const note = useNote();
  const [open, setOpen] = useState<Tracking | null>(null);
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const rows = hide ? all.filter(({ id }) => !notes[id]?.handled_at) : all;
  const columns = useColumns({ notes, onNote: note });
  const search = (changes: Record<string, string | undefined>) =>
    void navigate({
      search: Object.fromEntries(
        Object.entries({ tab: shown, hide, ...changes }).filter(([, value]) => value),
      ) as never,
    });
  return (
    <Page title={words.title} description={words.description}>
      <Tabs
        label={words.title}
        tabs={Object.keys(trackingTabs).map((id) => ({ id, label: words.tabs[id as TrackingTab] }))}
        selected={shown}
        onSelect={(id) => search({ tab: id })}
      >
        <div className="mb-4 flex justify-end">
          <Switch
            isSelected={hide !== undefined}
            onChange={(isOn) => search({ hide: isOn ? "handled" : undefined })}
          >
            {words.hideHandled}
          </Switch>
        </div>
        <Card isFlush>
          {list.isPending ? (
            <Skeleton />
          ) : list.error ? (
            <div className="p-4">
              <Failure error={list.error} onRetry={() => void list.refetch()} />
            </div>
          ) : rows.length === 0 ? (
            <Empty icon="check" title={words.emptyTitle}>
              {all.length > 0 ? words.allHandled : words.tabTexts[shown]}
            </Empty>
          ) : (
            <DataTable
              label={words.tabs[shown]}
              rows={rows}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ tracking_code }) => tracking_code}
              onOpen={setOpen}
              onEnd={
                list.hasNextPage && !list.isFetchingNextPage
                  ? () => void list.fetchNextPage()
                  : undefined
              }
              isLoadingMore={list.isFetchingNextPage}
            />
          )}
        </Card>
      </Tabs>
      <Suspense fallback={null}>
        {open && (
          <Parcel
            tracking={open}
            note={notes[open.id] ?? {}}
            onNote={(changed) => note(open, changed)}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </Page>
  );
}

type OnNote = (tracking: Tracking, note: TrackingNote) => Promise<void>;

function useNote(): OnNote {
  const change = useChangePreferences();
  return ({ id }, note) => change((before) => withNote(before, id, note));
}

function useColumns({
  notes,
  onNote,
}: {
  notes: Record<string, TrackingNote>;
  onNote: OnNote;
}): Column<Tracking>[] {
  const words = useWords(trackingWords);
  const { columns } = words;
  return [
    {
      id: "code",
      header: columns.code,
      onCard: "title",
      cell: ({ tracking_code, carrier }) => (
        <span className="flex flex-col leading-snug">
          <span className="truncate font-mono text-sm">{tracking_code}</span>
          <span className="text-sm font-normal text-faint">{carrierName(carrier)}</span>
        </span>
      ),
    },
    {
      id: "state",
      header: columns.state,
      cell: ({ status_detail, events: [last] }) => (
        <span className="flex flex-col leading-snug">
          <span lang="en" className="truncate" title={status_detail ?? undefined}>
            {status_detail ?? words.noScan}
          </span>
          {last && (
            <span className="text-sm text-faint">
              <Moment at={last.occurred_at} form="relative" />
            </span>
          )}
        </span>
      ),
    },
    {
      id: "place",
      header: columns.place,
      width: "11rem",
      onCard: "hidden",
      cell: ({ events: [last] }) => placeOf(last),
    },
    {
      id: "due",
      header: columns.due,
      width: "8rem",
      // A card has no header above it that says which day this is.
      cell: ({ estimated_delivery_date: day }) => (
        <span className={day ? undefined : "max-md:hidden"}>
          <span className="md:hidden">{columns.due} </span>
          <Day on={day} />
        </span>
      ),
    },
    {
      id: "note",
      header: columns.note,
      cell: ({ id }) => <span title={notes[id]?.note}>{notes[id]?.note}</span>,
    },
    {
      id: "handled",
      header: columns.handled,
      width: "6rem",
      align: "end",
      onCard: "aside",
      cell: (tracking) => (
        <span className="inline-flex">
          <Handled tracking={tracking} note={notes[tracking.id] ?? {}} onNote={onNote} />
        </span>
      ),
    },
  ];
}

interface HandledProps {
  tracking: Tracking;
  note: TrackingNote;
  onNote: OnNote;
}

function Handled({ tracking, note, onNote }: HandledProps) {
  const words = useWords(trackingWords);
  const toggle = (isOn: boolean) => {
    const handled = isOn ? { handled_at: new Date().toISOString() } : {};
    const kept = note.note ? { note: note.note } : {};
    onNote(tracking, { ...kept, ...handled }).catch((error: unknown) =>
      toast(problemOf(error).message, "danger"),
    );
  };
  return (
    <Checkbox
      aria-label={words.handledBy(tracking.tracking_code)}
      isSelected={note.handled_at !== undefined}
      onChange={toggle}
    />
  );
}

function placeOf(event: Tracking["events"][number] | undefined): string {
  const { city, province_code, country_code } = event?.location ?? {};
  return [city, province_code, country_code].filter(Boolean).join(", ");
}
