import { Link } from "@tanstack/react-router";
import type { Rule } from "@waybill/sdk";
import { useState, type DragEvent, type KeyboardEvent } from "react";
import { criteriaWords } from "../../criteria/words.ts";
import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Switch } from "../../kit/switch.tsx";
import { toast } from "../../shell/toasts.tsx";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { type ActionDraft } from "./draft.ts";
import { ruleFiltersQuery } from "./queries.ts";
import { actionText, criteriaText } from "./summary.ts";
import { useRuleChanges } from "./use-changes.ts";
import { ruleWords } from "./words.ts";

interface Props {
  label: string;
  rules: readonly Rule[];
  mayWrite: boolean;
}

/** Rules in their order. A handle moves one: by dragging it, or by the arrow keys while it has the focus. */
export function RuleList({ label, rules, mayWrite }: Props) {
  const words = useWords(ruleWords);
  const { move, enable } = useRuleChanges(rules);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= rules.length || from === to) return;
    void move(from, to);
    toast(words.moved(rules[from]!.name, to + 1, rules.length));
  };
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return (
    <ol aria-label={label} className="mt-2 divide-y divide-line border-t border-line">
      {rules.map((rule, index) => (
        <li
          key={rule.id}
          onDragOver={(event: DragEvent) => {
            if (dragged === null) return;
            event.preventDefault();
            setOver(index);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== null) moveTo(dragged, index);
            end();
          }}
          className={`flex items-start gap-2 py-3 pr-4 pl-2 sm:gap-3 ${dragged === index ? "opacity-50" : ""} ${over === index && dragged !== index ? "bg-accent-wash" : ""}`}
        >
          {mayWrite && rules.length > 1 ? (
            <button
              type="button"
              draggable
              aria-label={words.move(rule.name)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", rule.name);
                setDragged(index);
              }}
              onDragEnd={end}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
                event.preventDefault();
                moveTo(index, index + (event.key === "ArrowUp" ? -1 : 1));
              }}
              className="flex size-8 shrink-0 cursor-grab items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
            >
              <Icon name="chevronUpDown" />
            </button>
          ) : (
            <span className="w-2 shrink-0" />
          )}
          <Content rule={rule} />
          {mayWrite ? (
            <span className="pt-1.5">
              <Switch
                aria-label={words.enabled(rule.name)}
                isSelected={rule.enabled}
                onChange={(enabled) => void enable(rule.id, enabled)}
              >
                {null}
              </Switch>
            </span>
          ) : (
            !rule.enabled && <Badge>{words.off}</Badge>
          )}
        </li>
      ))}
    </ol>
  );
}

function Content({ rule }: { rule: Rule }) {
  const words = useWords(ruleWords);
  const names = useWords(criteriaWords);
  const environment = useEnvironment();
  const { locale } = useLocale();
  const { data: filters } = useQuery({
    ...ruleFiltersQuery(environment, rule.trigger),
    enabled: rule.filter_id !== null,
  });
  const filter = filters?.find(({ id }) => id === rule.filter_id);
  const conditions = rule.criteria
    ? criteriaText(rule.criteria, words, names)
    : rule.filter_id
      ? words.byFilter(filter?.name ?? "…")
      : words.always;
  const runs = new Intl.NumberFormat(regionOf(locale)).format(rule.run_count);
  return (
    <div className={`flex min-w-0 grow flex-col gap-0.5 ${rule.enabled ? "" : "text-soft"}`}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-1">
        <Link
          to={`/${environment}/rules/${rule.id}` as never}
          className="font-medium text-ink hover:text-accent hover:underline"
        >
          {rule.name}
        </Link>
        {rule.stop_processing && <Badge tone="info">{words.stops}</Badge>}
      </span>
      <span className="text-soft">{conditions}</span>
      <span className="flex items-start gap-1.5">
        <Icon name="arrowRight" className="mt-0.5 size-4 text-faint" />
        <span>
          {(rule.actions as ActionDraft[]).map((each) => actionText(each, words)).join(" · ")}
        </span>
      </span>
      <span className="text-sm text-faint">
        {rule.last_run_at ? (
          <>
            {words.runs(runs, rule.run_count)} · {words.lastRun}{" "}
            <Moment at={rule.last_run_at} form="relative" />
          </>
        ) : (
          words.neverRan
        )}
      </span>
    </div>
  );
}
