import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Reasons } from "../../kit/reasons.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import type { PickupChoice } from "../../pickup-choice.ts";
import { useWords } from "../../words/locale.tsx";
import { narrowed, type Narrowed, type Parcels } from "./narrowed.ts";
import { waitingQuery } from "./queries.ts";
import { WaitingLine } from "./waiting.tsx";
import { pickupWords } from "./words.ts";

interface Props {
  /** Without those that a carrier was asked for here. */
  choice: readonly PickupChoice[];
  onSchedule: ((parcels: Parcels) => void) | undefined;
}

/** The shipments that were chosen in their list, by carrier and address; where that is one, its form opens at once. */
export function ChosenParcels({ choice, onSchedule }: Props) {
  const words = useWords(pickupWords);
  const navigate = useNavigate();
  // What was bought a moment ago is not in an older answer.
  const list = useQuery({ ...waitingQuery(useEnvironment()), refetchOnMount: "always" });
  const found = list.data && list.isFetchedAfterMount ? narrowed(list.data, choice) : null;
  useOnlyGroup(found, onSchedule);
  const showAll = () => void navigate({ to: ".", replace: true, state: {} });
  return (
    <Card
      title={choice.length === 0 ? words.chosenDone : words.chosenTitle(choice.length)}
      actions={
        <Button size="sm" variant="quiet" onPress={showAll}>
          {words.showAll}
        </Button>
      }
      isFlush
    >
      {choice.length === 0 ? (
        <p className="px-5 pb-5 text-soft">{words.chosenDoneText}</p>
      ) : list.error ? (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : found === null ? (
        <Skeleton lines={3} />
      ) : (
        <>
          {found.groups.length === 0 && <Empty icon="truck" title={words.chosenNone} />}
          <ul>
            {found.groups.map((parcels) => (
              <WaitingLine
                key={parcels.carrier + parcels.shipment_ids[0]}
                parcels={parcels}
                onSchedule={onSchedule}
              />
            ))}
          </ul>
          <LeftOut left={found.left} />
        </>
      )}
    </Card>
  );
}

function LeftOut({ left }: Pick<Narrowed, "left">) {
  const words = useWords(pickupWords);
  const environment = useEnvironment();
  if (left.length === 0) return null;
  return (
    <div className="px-5 py-4">
      <Reasons
        title={words.leftOut(left.length)}
        lines={left.map(({ shipment: { id, to_address, ship_code, reference }, reason }) => ({
          id,
          name: to_address.name ?? to_address.company ?? ship_code,
          href: `/app/${environment}/shipments/${id}`,
          reference,
          why: words.leftOutReasons[reason],
        }))}
      />
    </div>
  );
}

/** Opens the form when the first answer has one group: there is nothing to choose between. */
function useOnlyGroup(found: Narrowed | null, onSchedule: Props["onSchedule"]) {
  const isOpened = useRef(false);
  useEffect(() => {
    if (!found || isOpened.current) return;
    isOpened.current = true;
    const [only, other] = found.groups;
    if (only && !other) onSchedule?.(only);
  }, [found, onSchedule]);
}
