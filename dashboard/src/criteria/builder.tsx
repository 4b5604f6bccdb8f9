import type { Criteria, CriteriaCondition, FilterTarget } from "@waybill/sdk";
import { Button } from "../kit/button.tsx";
import { Select } from "../kit/select.tsx";
import { useWords } from "../words/locale.tsx";
import {
  fields,
  fieldsOf,
  firstValue,
  newCriteria,
  type FieldName,
  type Operator,
} from "./fields.ts";
import { ValueField } from "./value-field.tsx";
import { criteriaWords } from "./words.ts";

type Entry = Criteria["conditions"][number];

interface Props {
  value: Criteria;
  onChange: (value: Criteria) => void;
  target: FilterTarget;
  /** The API's path of the tree: errors are shown at `criteria.conditions.0.value`. */
  path?: string;
}

const depthMax = 3;

/** A tree of conditions in groups of which all, or any, have to hold. */
export function CriteriaBuilder({ value, onChange, target, path = "criteria" }: Props) {
  return <Group {...{ value, onChange, target, path }} depth={1} />;
}

function Group({
  value,
  onChange,
  target,
  path = "",
  depth,
  onRemove,
}: Props & { depth: number; onRemove?: () => void }) {
  const words = useWords(criteriaWords);
  const replace = (index: number, entry: Entry | null) => {
    const conditions = value.conditions.flatMap((each, at) =>
      at !== index ? [each] : entry === null ? [] : [entry],
    );
    onChange({ ...value, conditions });
  };
  const add = (entry: Entry) => onChange({ ...value, conditions: [...value.conditions, entry] });
  return (
    <div
      role="group"
      aria-label={words.conditions}
      className={`flex min-w-0 flex-col gap-2.5 ${depth > 1 ? "rounded-lg border border-line bg-canvas p-3" : ""}`}
    >
      <div className="flex items-center justify-between gap-2">
        <Select
          label={words.match}
          isLabelHidden
          className="w-56"
          choices={Object.entries(words.matches).map(([id, label]) => ({ id, label }))}
          value={value.match}
          onChange={(match) => onChange({ ...value, match: match as Criteria["match"] })}
        />
        {onRemove && (
          <Button
            variant="quiet"
            size="icon"
            icon="close"
            aria-label={words.removeGroup}
            onPress={onRemove}
          />
        )}
      </div>
      {value.conditions.map((entry, index) => {
        const at = `${path}.conditions.${index}`;
        const change = (next: Entry) => replace(index, next);
        const remove = () => replace(index, null);
        return "conditions" in entry ? (
          <Group
            key={at}
            value={entry}
            onChange={change as (next: Criteria) => void}
            target={target}
            path={at}
            depth={depth + 1}
            onRemove={remove}
          />
        ) : (
          <Condition
            key={at}
            value={entry}
            onChange={change}
            target={target}
            path={at}
            onRemove={remove}
          />
        );
      })}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon="plus" onPress={() => add(newCriteria.conditions[0]!)}>
          {words.add}
        </Button>
        {depth < depthMax && (
          <Button
            size="sm"
            variant="quiet"
            icon="layers"
            onPress={() => add({ ...newCriteria, match: "any" } as Entry)}
          >
            {words.addGroup}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ConditionProps {
  value: CriteriaCondition;
  onChange: (value: CriteriaCondition) => void;
  onRemove: () => void;
  target: FilterTarget;
  path: string;
}

function Condition({ value: condition, onChange, onRemove, target, path }: ConditionProps) {
  const words = useWords(criteriaWords);
  const { kind, operators } = fields[condition.field];
  const compare = (field: FieldName, operator: Operator) =>
    onChange({
      field,
      operator,
      value: firstValue(fields[field].kind, operator),
    });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,11rem)_minmax(0,10rem)_minmax(0,1fr)_auto]">
      <Select
        label={words.field}
        isLabelHidden
        name={`${path}.field`}
        choices={fieldsOf(target).map((id) => ({ id, label: words.fields[id] }))}
        value={condition.field}
        onChange={(field) => compare(field as FieldName, fields[field as FieldName].operators[0]!)}
      />
      <span className="sm:order-last">
        <Button
          variant="quiet"
          size="icon"
          icon="close"
          aria-label={words.remove}
          onPress={onRemove}
        />
      </span>
      <Select
        label={words.operator}
        isLabelHidden
        className="max-sm:col-span-2"
        name={`${path}.operator`}
        choices={operators.map((id) => ({ id, label: words.operators[id] }))}
        value={condition.operator}
        onChange={(operator) => compare(condition.field, operator as Operator)}
      />
      <div className="min-w-0 max-sm:col-span-2">
        <ValueField
          kind={kind}
          operator={condition.operator}
          value={condition.value}
          path={`${path}.value`}
          onChange={(value) => onChange({ ...condition, value })}
        />
      </div>
    </div>
  );
}
