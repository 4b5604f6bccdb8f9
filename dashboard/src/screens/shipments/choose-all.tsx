import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Progress } from "../../kit/progress.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import type { Chosen } from "./chosen.ts";
import { chosen_max, matchCountQuery, readMatching, type ShipmentFilters } from "./queries.ts";
import { shipmentWords } from "./words.ts";

interface Props {
  filters: ShipmentFilters;
  /** How many are chosen already. */
  chosen: number;
  onChoose: (shipments: readonly Chosen[]) => void;
}

/** Offers to choose all shipments that match the filters, and reads those that are not on the page. */
export function ChooseAll({ filters, chosen, onChoose }: Props) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const [read, setRead] = useState<number | null>(null);
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const { data: count } = useQuery(matchCountQuery(environment, filters));
  if (!count) return null;
  const choose = async () => {
    const { signal } = (reading.current = new AbortController());
    setRead(0);
    try {
      const all: Chosen[] = [];
      for await (const { data } of readMatching(environment, filters, signal)) {
        all.push(...data);
        setRead(all.length);
        if (all.length >= chosen_max) break;
      }
      if (signal.aborted) return;
      onChoose(all);
      if (count.isMore) toast(words.chosenSome(chosen_max), "danger");
    } catch (error) {
      if (!signal.aborted) toast(problemOf(error).message, "danger");
    } finally {
      setRead(null);
    }
  };
  if (read !== null)
    return (
      <span className="flex items-center gap-2 max-sm:order-2 max-sm:w-full">
        <span className="grow sm:w-24">
          <Progress label={words.choosing} done={read} total={count.total} />
        </span>
        <Button size="sm" onPress={() => reading.current?.abort()}>
          {words.stop}
        </Button>
      </span>
    );
  if (chosen >= count.total) return null;
  return (
    <Button size="sm" onPress={() => void choose()} className="max-sm:order-2 max-sm:w-full">
      {words.chooseAll(count.total, count.isMore)}
    </Button>
  );
}
