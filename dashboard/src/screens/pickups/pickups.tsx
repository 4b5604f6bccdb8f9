import { lazy, Suspense, useState } from "react";
import { Page } from "../../kit/page.tsx";
import { usePickupChoice } from "../../pickup-choice.ts";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import type { Parcels } from "./narrowed.ts";
import { PickupList } from "./pickup-list.tsx";
import { Waiting } from "./waiting.tsx";
import { pickupWords } from "./words.ts";

const Schedule = lazy(async () => ({ default: (await import("./schedule.tsx")).Schedule }));
const ChosenParcels = lazy(async () => ({
  default: (await import("./chosen-parcels.tsx")).ChosenParcels,
}));

/** What waits for a carrier to come, or what of it was chosen elsewhere, and the pickups that were scheduled. */
export default function Pickups() {
  const words = useWords(pickupWords);
  const may = useMay();
  const choice = usePickupChoice();
  const [parcels, setParcels] = useState<Parcels | null>(null);
  const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
  const mayWrite = may(["pickups:write"]);
  const onSchedule = mayWrite ? setParcels : undefined;
  return (
    <Page title={words.title} description={mayWrite ? words.description : words.mayNot}>
      {choice.length === 0 ? (
        <Waiting onSchedule={onSchedule} />
      ) : (
        <Suspense fallback={null}>
          <ChosenParcels
            choice={choice.filter(({ id }) => !asked.has(id))}
            onSchedule={onSchedule}
          />
        </Suspense>
      )}
      <PickupList mayCancel={mayWrite} />
      <Suspense fallback={null}>
        {parcels && (
          <Schedule
            parcels={parcels}
            onClose={() => setParcels(null)}
            onAsked={(ids) => setAsked(new Set([...asked, ...ids]))}
          />
        )}
      </Suspense>
    </Page>
  );
}
