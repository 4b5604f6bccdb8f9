import { useState } from "react";
import { criteriaWords } from "../../criteria/words.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { useWords } from "../../words/locale.tsx";
import type { RuleDraft } from "./draft.ts";
import { differences, merged, type Part, type Side, type Versions } from "./merge.ts";
import { actionText, criteriaText } from "./summary.ts";
import { ruleWords } from "./words.ts";

interface Props {
  versions: Versions;
  onSave: (rule: RuleDraft) => Promise<unknown>;
  onClose: () => void;
}

/** The parts in which a rule that another person saved meanwhile differs, each to choose. */
export default function Conflict({ versions, onSave, onClose }: Props) {
  const words = useWords(ruleWords);
  const textOf = usePartText();
  const [choice, setChoice] = useState(() => differences(versions));
  return (
    <Dialog title={words.conflictTitle} isOpen onOpenChange={onClose} size="lg">
      <Form onSubmit={() => onSave(merged(versions, choice))}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.conflictText}</p>
            {(Object.keys(choice) as Part[]).map((part) => (
              <RadioGroup
                key={part}
                label={words.parts[part]}
                value={choice[part] ?? "mine"}
                onChange={(side) => setChoice({ ...choice, [part]: side as Side })}
                choices={[
                  { id: "theirs", label: textOf(part, versions.theirs), description: words.theirs },
                  { id: "mine", label: textOf(part, versions.mine), description: words.mine },
                ]}
              />
            ))}
            <DialogActions>
              <Button onPress={onClose}>{words.keepEditing}</Button>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.saveChosen}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** A part of a rule as a line of text. */
function usePartText() {
  const words = useWords(ruleWords);
  const names = useWords(criteriaWords);
  const yes = (is: boolean) => (is ? words.yes : words.no);
  return (part: Part, rule: RuleDraft): string => {
    const texts: Record<Part, () => string> = {
      name: () => rule.name,
      enabled: () => yes(rule.enabled),
      priority: () => String(rule.priority),
      trigger: () => words.triggers[rule.trigger],
      conditions: () =>
        rule.criteria
          ? criteriaText(rule.criteria, words, names)
          : rule.filter_id
            ? words.byFilter(rule.filter_id)
            : words.always,
      actions: () => rule.actions.map((each) => actionText(each, words)).join(" · "),
      stop_processing: () => yes(rule.stop_processing),
    };
    return texts[part]();
  };
}
