import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import type { IconName } from "../../kit/icon-paths.ts";
import { kitWords } from "../../kit/words.ts";
import { choosePickup } from "../../pickup-choice.ts";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { ChooseAll } from "./choose-all.tsx";
import { isBuyable, isDraft, isFetchable, isPrintable, isVoidable, type Chosen } from "./chosen.ts";
import { exportCsv } from "./export-csv.ts";
import type { ShipmentFilters } from "./queries.ts";
import { file_shipments_max, usePrint } from "./use-print.ts";
import { shipmentWords } from "./words.ts";

const AddTags = lazy(() => import("./add-tags.tsx"));
const PrintLabels = lazy(() => import("./print-labels.tsx"));
const ToBatch = lazy(() => import("./to-batch.tsx"));
const VoidLabels = lazy(() => import("./void-labels.tsx"));

/** What a dialog of the bar gets. */
export interface BulkProps {
  /** Those of the chosen ones whose state allows it. */
  shipments: readonly Chosen[];
  onClose: () => void;
  /** It was done: nothing is chosen any more. */
  onDone: () => void;
}

interface Props {
  shipments: readonly Chosen[];
  filters: ShipmentFilters;
  /** Whether the list has rows that are not loaded. */
  hasMore: boolean;
  onChooseAll: (shipments: readonly Chosen[]) => void;
  onDone: () => void;
}

type DialogName = "buy" | "print" | "void" | "tag" | "batch";

/** What can be done to the chosen shipments; each button works on those whose state allows it. */
export default function BulkBar({ shipments, filters, hasMore, onChooseAll, onDone }: Props) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const may = useMay();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const printing = usePrint();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const printable = shipments.filter(isPrintable);
  const print = () =>
    printable.length > file_shipments_max ? setDialog("print") : void printing.print(printable);
  const toPickups = () =>
    void navigate({
      to: `/${environment}/pickups` as never,
      state: choosePickup(shipments) as never,
    });
  const closePrint = () => {
    setDialog(null);
    printing.forget();
  };
  const of = (allows: (shipment: Chosen) => boolean) => ({
    shipments: shipments.filter(allows),
    onClose: () => setDialog(null),
    onDone,
  });
  const toBatch = (allows: (shipment: Chosen) => boolean) => ({
    ...of(allows),
    leftOut: shipments.filter((shipment) => !allows(shipment)),
  });
  const open = (name: DialogName, icon: IconName, allows: (shipment: Chosen) => boolean) => (
    <Button
      size="sm"
      icon={icon}
      isDisabled={!shipments.some(allows)}
      onPress={() => setDialog(name)}
    >
      {words[name]}
    </Button>
  );
  return (
    <div
      role="region"
      aria-label={kit.selected(shipments.length)}
      className="appear sticky bottom-4 z-10 mx-auto flex max-w-full flex-wrap items-center gap-2 rounded-xl border border-line bg-raised p-2 shadow-raised sm:pr-12"
    >
      <span className="tabular mr-2 ml-2 font-medium" aria-live="polite">
        {kit.selected(shipments.length)}
      </span>
      {hasMore && <ChooseAll filters={filters} chosen={shipments.length} onChoose={onChooseAll} />}
      <div className="grid grid-cols-2 gap-2 max-sm:order-3 max-sm:w-full sm:flex sm:flex-wrap">
        {may(["labels:create"]) && open("buy", "bolt", isBuyable)}
        <Button
          size="sm"
          icon="printer"
          isDisabled={printable.length === 0}
          isPending={printing.printing !== null && dialog === null}
          onPress={print}
        >
          {words.print}
        </Button>
        {may(["pickups:write"]) && (
          <Button
            size="sm"
            icon="truck"
            isDisabled={!shipments.some(isFetchable)}
            onPress={toPickups}
          >
            {words.pickup}
          </Button>
        )}
        {may(["shipments:void"]) && open("void", "ban", isVoidable)}
        {may(["shipments:write"]) && open("tag", "tag", () => true)}
        {may(["batches:write"]) && open("batch", "layers", isDraft)}
        <Button size="sm" icon="download" onPress={() => exportCsv(shipments)}>
          {words.exportCsv}
        </Button>
      </div>
      <Button
        variant="quiet"
        size="icon"
        icon="close"
        aria-label={kit.clearSelection}
        onPress={onDone}
        className="max-sm:order-1 max-sm:ml-auto sm:absolute sm:top-2 sm:right-2"
      />
      <Suspense fallback={null}>
        {dialog === "buy" && <ToBatch {...toBatch(isBuyable)} isBuying />}
        {(dialog === "print" || printing.hasTrouble) && (
          <PrintLabels shipments={printable} printing={printing} onClose={closePrint} />
        )}
        {dialog === "void" && <VoidLabels {...of(isVoidable)} />}
        {dialog === "tag" && <AddTags {...of(() => true)} />}
        {dialog === "batch" && <ToBatch {...toBatch(isDraft)} />}
      </Suspense>
    </div>
  );
}
