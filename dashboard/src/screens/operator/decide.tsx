import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Form } from "../../kit/form.tsx";
import { formatMoney } from "../../kit/money.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { bodyOf, evidenceFields, type EvidenceField } from "./evidence.ts";
import { adminCall, type Effect, type Review } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** Decides that the effect stands, with what the other side shows, or that it is void. What each moves is shown first. */
export function Decide({ review }: { review: Review }) {
  const words = useWords(operatorWords);
  const client = useQueryClient();
  const key = useFormKey(`operator.review.${review.id}`);
  const [decision, setDecision] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = useMemo(() => evidenceFields(review.evidence ?? {}), [review.evidence]);
  const effectOf = useEffects(review);
  const submit = async () => {
    const found = decision === "stands" ? bodyOf(fields, values) : {};
    const body = { decision, note: note.trim(), ...found };
    await key.send((each) => adminCall("POST", `/reviews/${review.id}`, { body, key: each }));
    toast(words.decided);
    await client.invalidateQueries({ queryKey: ["operator"] });
  };
  return (
    <Card title={words.decide}>
      <Form onSubmit={submit} label={words.decide}>
        {({ isPending }) => (
          <>
            <RadioGroup
              label={words.outcome}
              value={decision}
              onChange={setDecision}
              choices={(["stands", "void"] as const).map((id) => ({
                id,
                label: words.choices[id],
                description: effectOf(review.effects?.[id]),
              }))}
            />
            {decision === "stands" && fields.length > 0 && (
              <fieldset className="grid gap-3 sm:grid-cols-2">
                <legend className="mb-2 text-sm font-medium">{words.evidence}</legend>
                {fields.map((field) => (
                  <Evidence
                    key={field.path}
                    field={field}
                    value={values[field.path] ?? ""}
                    onChange={(value) => setValues({ ...values, [field.path]: value })}
                  />
                ))}
              </fieldset>
            )}
            <TextField
              label={words.reason}
              name="note"
              description={words.noteText}
              rows={2}
              value={note}
              onChange={setNote}
            />
            <div>
              <Button
                type="submit"
                variant={decision === "void" ? "danger" : "primary"}
                isPending={isPending}
                isDisabled={decision === null || note.trim() === ""}
              >
                {words.decide}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Card>
  );
}

function useEffects({ currency }: Review) {
  const words = useWords(operatorWords);
  const { locale } = useLocale();
  const money = (amount: number) => formatMoney(amount, currency, regionOf(locale));
  return (effect: Effect | undefined) => {
    if (!effect) return words.effectLater;
    const parts = [
      effect.balance === 0 ? words.balanceStays : words.balanceMoves(money(effect.balance)),
      ...(effect.held === 0 ? [] : [words.heldMoves(money(effect.held))]),
    ];
    return parts.join(" ");
  };
}

interface EvidenceProps {
  field: EvidenceField;
  value: string;
  onChange: (value: string) => void;
}

function Evidence({ field, value, onChange }: EvidenceProps) {
  const words = useWords(operatorWords);
  const label = words.evidenceNames[field.name] ?? field.name;
  const common = { label, name: field.path, isOptional: field.isOptional };
  if (field.choices)
    return (
      <Select
        {...common}
        choices={field.choices.map((id) => ({ id, label: words.evidenceChoices[id] ?? id }))}
        value={value || null}
        onChange={onChange}
      />
    );
  return (
    <TextField
      {...common}
      isMono
      {...(field.kind === "list" ? { description: words.listText } : {})}
      {...(field.kind === "number" ? { inputMode: "decimal" as const } : {})}
      value={value}
      onChange={onChange}
    />
  );
}
