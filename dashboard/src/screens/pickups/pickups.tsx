import type { WaitingParcels } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { PickupList } from "./pickup-list.tsx";
import { Waiting } from "./waiting.tsx";
import { pickupWords } from "./words.ts";

const Schedule = lazy(async () => ({ default: (await import("./schedule.tsx")).Schedule }));

/** What waits for a carrier to come, and the pickups that were scheduled. */
export default function Pickups() {
  const words = useWords(pickupWords);
  const may = useMay();
  const [chosen, setChosen] = useState<WaitingParcels | null>(null);
  const mayWrite = may(["pickups:write"]);
  return (
    <Page title={words.title} description={mayWrite ? words.description : words.mayNot}>
      <Waiting onSchedule={mayWrite ? setChosen : undefined} />
      <PickupList mayCancel={mayWrite} />
      <Suspense fallback={null}>
        {chosen && <Schedule parcels={chosen} onClose={() => setChosen(null)} />}
      </Suspense>
    </Page>
  );
}
