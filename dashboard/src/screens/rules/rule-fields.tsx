import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CriteriaBuilder } from "../../criteria/builder.tsx";
import { useEnvironment } from "../../environment.ts";
import { Card } from "../../kit/card.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Notice } from "../../kit/notice.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { Select } from "../../kit/select.tsx";
import { Switch } from "../../kit/switch.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { Actions } from "./actions.tsx";
import { emptyRule, subjectOf, triggers, type RuleDraft, type Trigger } from "./draft.ts";
import { ruleFiltersQuery } from "./queries.ts";
import { ruleWords } from "./words.ts";

interface Props {
  draft: RuleDraft;
  onChange: (changes: Partial<RuleDraft>) => void;
}

/** All that a rule is made of. */
export function RuleFields({ draft, onChange }: Props) {
  const words = useWords(ruleWords);
  return (
    <>
      <Card>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={words.name}
            name="name"
            value={draft.name}
            onChange={(name) => onChange({ name })}
            autoFocus={draft.name === ""}
          />
          <Select
            label={words.trigger}
            name="trigger"
            choices={triggers.map((id) => ({ id, label: words.triggers[id] }))}
            value={draft.trigger}
            onChange={(trigger) => onChange({ trigger: trigger as Trigger })}
          />
          <Switch isSelected={draft.enabled} onChange={(enabled) => onChange({ enabled })}>
            {words.isEnabled}
          </Switch>
        </div>
      </Card>
      <Conditions draft={draft} onChange={onChange} />
      <Card title={words.actions}>
        <Actions
          actions={draft.actions}
          trigger={draft.trigger}
          onChange={(actions) => onChange({ actions })}
        />
        {draft.actions.some(({ type }) => type === "buy_label") && (
          <div className="mt-3">
            <Notice tone="warn">{words.buys}</Notice>
          </div>
        )}
      </Card>
      <Card title={words.more}>
        <div className="flex flex-col gap-4">
          <NumberField
            label={words.priority}
            name="priority"
            description={words.priorityHint}
            value={draft.priority}
            onChange={(priority) => onChange({ priority })}
            minValue={0}
            className="max-w-60"
          />
          <Checkbox
            isSelected={draft.stop_processing}
            onChange={(stop_processing) => onChange({ stop_processing })}
          >
            {words.stop}
          </Checkbox>
        </div>
      </Card>
    </>
  );
}

type Source = "always" | "criteria" | "filter";

function Conditions({ draft, onChange }: Props) {
  const words = useWords(ruleWords);
  const { trigger, filter_id, criteria } = draft;
  const { data: filters = [] } = useQuery(ruleFiltersQuery(useEnvironment(), trigger));
  // What was built is there again when the screen is opened again.
  const [built, setBuilt] = useState(criteria ?? emptyRule.criteria);
  const source: Source = criteria ? "criteria" : filter_id !== null ? "filter" : "always";
  const choose = (next: Source) => {
    if (next === "criteria") onChange({ criteria: built, filter_id: null });
    else
      onChange({ criteria: null, filter_id: next === "filter" ? (filters[0]?.id ?? null) : null });
  };
  return (
    <Card title={words.conditions}>
      <div className="flex flex-col gap-4">
        <RadioGroup
          label={words.conditions}
          isLabelHidden
          choices={Object.entries(words.sources)
            .filter(([id]) => id !== "filter" || filters.length > 0 || source === "filter")
            .map(([id, label]) => ({ id, label }))}
          value={source}
          onChange={(next) => choose(next as Source)}
        />
        {criteria && (
          <CriteriaBuilder
            value={criteria}
            target={subjectOf(trigger)}
            onChange={(next) => {
              setBuilt(next);
              onChange({ criteria: next });
            }}
          />
        )}
        {source === "filter" && (
          <Select
            label={words.filter}
            name="filter_id"
            className="max-w-sm"
            choices={filters.map(({ id, name }) => ({ id, label: name }))}
            value={filter_id}
            onChange={(id) => onChange({ filter_id: id })}
          />
        )}
      </div>
    </Card>
  );
}
