import type { ExplainedCriteria, ExplainedInnerGroup } from "@waybill/sdk";
import { criteriaWords } from "../../criteria/words.ts";
import { Icon } from "../../kit/icon.tsx";
import { useWords } from "../../words/locale.tsx";
import { valueText } from "./summary.ts";
import { ruleWords } from "./words.ts";

type Group = Omit<ExplainedCriteria, "conditions"> & {
  conditions: (ExplainedCriteria["conditions"][number] | ExplainedInnerGroup)[];
};

/** Whether each condition holds, and what the thing has there. */
export function Explained({ group }: { group: Group }) {
  const words = useWords(ruleWords);
  const names = useWords(criteriaWords);
  return (
    <div>
      <p className="flex items-center gap-1.5 text-sm font-medium">
        <Mark holds={group.matched} />
        {words.groups[group.match]}
      </p>
      <ul className="mt-1 flex flex-col gap-1 border-l border-line pl-3">
        {group.conditions.map((each, index) => (
          <li key={index}>
            {"conditions" in each ? (
              <Explained group={each as Group} />
            ) : (
              <span className="flex items-start gap-1.5 text-sm">
                <Mark holds={each.matched} />
                <span className="min-w-0 break-words">
                  {names.fields[each.field]} {names.operators[each.operator]}{" "}
                  {valueText(each.value, names)}
                  <span className="block text-faint" title={each.reason}>
                    {valueText(each.actual, names) || "–"}
                  </span>
                </span>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Mark({ holds }: { holds: boolean }) {
  const words = useWords(ruleWords);
  return (
    <>
      <Icon
        name={holds ? "check" : "close"}
        className={`mt-0.5 size-3.5 ${holds ? "text-good" : "text-danger"}`}
      />
      <span className="sr-only">{holds ? words.holds : words.holdsNot}</span>
    </>
  );
}
