import { Button } from "../../kit/button.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { useWords } from "../../words/locale.tsx";
import { ActionFields } from "./action-fields.tsx";
import { firstAction, possibleTypes } from "./action-types.ts";
import type { ActionDraft, Trigger } from "./draft.ts";
import { ruleWords } from "./words.ts";

interface Props {
  actions: readonly ActionDraft[];
  trigger: Trigger;
  onChange: (actions: ActionDraft[]) => void;
}

/** What a rule does, one action after the other. */
export function Actions({ actions, trigger, onChange }: Props) {
  const words = useWords(ruleWords);
  return (
    <div className="flex flex-col gap-3">
      {actions.map((action, index) => (
        <fieldset
          // An action has no id; the type with its place is enough to keep the focus while one types.
          key={`${index}.${action.type}`}
          className="min-w-0 rounded-lg border border-line p-3.5"
        >
          <legend className="sr-only">{words.types[action.type]}</legend>
          <div className="mb-2 flex items-center justify-between gap-2">
            <span className="font-medium" aria-hidden="true">
              {words.types[action.type]}
            </span>
            <Button
              variant="quiet"
              size="icon"
              icon="close"
              aria-label={words.removeAction(words.types[action.type])}
              onPress={() => onChange(actions.filter((_each, at) => at !== index))}
            />
          </div>
          <ActionFields
            action={action}
            path={`actions.${index}`}
            onChange={(next) => onChange(actions.map((each, at) => (at === index ? next : each)))}
          />
        </fieldset>
      ))}
      <div>
        <Menu
          label={words.addAction}
          placement="bottom start"
          trigger={
            <Button size="sm" icon="plus">
              {words.addAction}
            </Button>
          }
        >
          {possibleTypes(trigger).map((type) => (
            <MenuItem key={type} onAction={() => onChange([...actions, firstAction(type)])}>
              {words.types[type]}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  );
}
