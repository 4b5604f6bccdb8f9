import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFormKey } from "../../form-key.ts";
import { Card } from "../../kit/card.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Form } from "../../kit/form.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { SaveButton } from "../../kit/save-button.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { adminCall, type Account, type Settings, type Tier } from "./queries.ts";
import { operatorWords } from "./words.ts";

const tiers: readonly Tier[] = ["retail", "standard", "enterprise"];

/** What only the operator sets: the tier, its margins, what tokens may mint, and how long refunds wait. */
export function AccountSettings({ account }: { account: Account }) {
  const words = useWords(operatorWords);
  const client = useQueryClient();
  const key = useFormKey(`operator.settings.${account.id}`);
  const [settings, setSettings] = useState(account.settings);
  const [ceiling, setCeiling] = useState(account.settings.token_ceiling?.join(" ") ?? "");
  const change = (changes: Partial<Settings>) => setSettings({ ...settings, ...changes });
  const submit = async () => {
    const { tier, show_tier_rates_api, margins, refund_hold_days } = settings;
    const scopes = ceiling.split(/[\s,]+/).filter(Boolean);
    const token_ceiling = scopes.length > 0 ? scopes : null;
    const body = { tier, show_tier_rates_api, margins, refund_hold_days, token_ceiling };
    const path = `/accounts/${account.id}/settings`;
    await key.send((each) => adminCall("PATCH", path, { body, key: each }));
    toast(words.saved);
    await client.invalidateQueries({ queryKey: ["operator", "account", account.id] });
  };
  return (
    <Card title={words.settings}>
      <Form onSubmit={submit} label={words.settings}>
        {({ isPending }) => (
          <>
            <Select
              label={words.tier}
              name="tier"
              description={words.tierText}
              choices={tiers.map((id) => ({ id, label: words.tiers[id] }))}
              value={settings.tier}
              onChange={(tier) => change({ tier: tier as Tier })}
              className="sm:max-w-xs"
            />
            <Margins account={account} settings={settings} onChange={change} />
            <Checkbox
              isSelected={settings.show_tier_rates_api}
              onChange={(show_tier_rates_api) => change({ show_tier_rates_api })}
            >
              {words.showTiers}
            </Checkbox>
            <TextField
              label={words.ceiling}
              name="token_ceiling"
              isOptional
              description={words.ceilingText}
              rows={3}
              isMono
              value={ceiling}
              onChange={setCeiling}
            />
            <NumberField
              label={words.holdDays}
              name="refund_hold_days"
              isOptional
              description={words.holdDaysText}
              minValue={0}
              maxValue={365}
              value={settings.refund_hold_days ?? NaN}
              onChange={(days) => change({ refund_hold_days: Number.isNaN(days) ? null : days })}
              className="sm:max-w-xs"
            />
            <SaveButton isPending={isPending} />
          </>
        )}
      </Form>
    </Card>
  );
}

interface MarginsProps {
  account: Account;
  settings: Settings;
  onChange: (changes: Partial<Settings>) => void;
}

/** Each tier's margin. Those of single carriers and services stay as they are. */
function Margins({ account, settings: { margins }, onChange }: MarginsProps) {
  const words = useWords(operatorWords);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{words.margins}</legend>
      {tiers.map((tier) => {
        const set = (part: "percent" | "fixed") => (value: number) => {
          const margin = { ...margins[tier], [part]: Number.isNaN(value) ? 0 : value };
          onChange({ margins: { ...margins, [tier]: margin } });
        };
        return (
          <div key={tier} className="grid grid-cols-[7rem_1fr_1fr] items-center gap-3">
            <span>{words.tiers[tier]}</span>
            <NumberField
              label={words.marginPercent(words.tiers[tier])}
              name={`margins.${tier}.percent`}
              isLabelHidden
              minValue={0}
              value={margins[tier].percent}
              onChange={set("percent")}
              suffix="%"
            />
            <NumberField
              label={words.marginFixed(words.tiers[tier])}
              name={`margins.${tier}.fixed`}
              isLabelHidden
              minValue={0}
              value={margins[tier].fixed}
              onChange={set("fixed")}
              suffix={account.currency}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
