import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { kitWords } from "../../kit/words.ts";
import { useWords } from "../../words/locale.tsx";
import type { Chosen } from "./chosen.ts";
import { Refused } from "./refused.tsx";
import { file_shipments_max, type usePrint } from "./use-print.ts";
import { shipmentWords } from "./words.ts";

interface Props {
  shipments: readonly Chosen[];
  printing: ReturnType<typeof usePrint>;
  onClose: () => void;
}

/** The files of more labels than one file holds, and what a file lacks. */
export default function PrintLabels({ shipments, printing, onClose }: Props) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const { missing, error } = printing;
  return (
    <Dialog title={words.printTitle} size="sm" isOpen onOpenChange={onClose}>
      <div className="flex flex-col gap-4">
        {shipments.length > file_shipments_max && (
          <Files shipments={shipments} printing={printing} />
        )}
        {error !== null && <Failure isInline error={error} />}
        {missing.length > 0 && (
          <Refused
            title={words.notInFile(missing.length)}
            shipments={missing.map(({ shipment, reason }) => ({
              shipment,
              why: words.missingReasons[reason],
            }))}
          />
        )}
        <DialogActions>
          <Button onPress={onClose}>{kit.close}</Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** A button for each file, as the browser shows one print dialog at a time. */
function Files({ shipments, printing: { print, printing } }: Omit<Props, "onClose">) {
  const words = useWords(shipmentWords);
  const count = Math.ceil(shipments.length / file_shipments_max);
  return (
    <>
      <p className="text-soft">{words.printText(shipments.length, file_shipments_max)}</p>
      <ul className="flex max-h-64 flex-wrap gap-2 overflow-y-auto">
        {Array.from({ length: count }, (_, index) => {
          const first = index * file_shipments_max;
          const part = shipments.slice(first, first + file_shipments_max);
          return (
            <li key={first}>
              <Button
                icon="printer"
                isPending={printing !== null && printing[0]?.id === part[0]?.id}
                onPress={() => void print(part)}
              >
                {words.printPart(first + 1, first + part.length)}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
