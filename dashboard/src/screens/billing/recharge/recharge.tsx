import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Balance, PaymentMethod } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../../environment.ts";
import { useFormKey } from "../../../form-key.ts";
import { Card } from "../../../kit/card.tsx";
import { Form } from "../../../kit/form.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { Moment } from "../../../kit/moment.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { NumberField } from "../../../kit/number-field.tsx";
import { SaveButton } from "../../../kit/save-button.tsx";
import { Select } from "../../../kit/select.tsx";
import { Switch } from "../../../kit/switch.tsx";
import { useMay } from "../../../session.ts";
import { accountQuery } from "../../../shell/queries.ts";
import { toast } from "../../../shell/toasts.tsx";
import { useWaybill } from "../../../waybill.ts";
import { useWords } from "../../../words/locale.tsx";
import { useCardName } from "../card-name.ts";
import { balanceQuery } from "../queries.ts";
import { rechargeWords } from "./words.ts";

type Setting = Pick<
  NonNullable<Balance["auto_recharge"]>,
  "threshold" | "amount" | "payment_method_id"
>;

const first: Setting = { threshold: 50, amount: 200, payment_method_id: null };
const byDefault = "default";
const path = "preferences.auto_recharge";

/** When a card is charged without a person, and how that goes. */
export function Recharge({ cards }: { cards: PaymentMethod[] }) {
  const words = useWords(rechargeWords);
  const balance = useQuery(balanceQuery(useEnvironment()));
  return (
    <Card title={words.title}>
      <Loaded query={balance} lines={3}>
        {(loaded) => (
          <div className="flex flex-col gap-4">
            <State balance={loaded} />
            <Fields balance={loaded} cards={cards} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function State({ balance: { auto_recharge } }: { balance: Balance }) {
  const words = useWords(rechargeWords);
  if (auto_recharge?.status === "charging") return <Notice tone="info">{words.charging}</Notice>;
  if (auto_recharge?.status === "paused")
    return (
      <Notice tone="warn" title={words.paused}>
        {words.pausedText}
      </Notice>
    );
  if (!auto_recharge?.next_attempt_at) return null;
  return (
    <Notice tone="warn">
      {words.failing} <Moment at={auto_recharge.next_attempt_at} />
    </Notice>
  );
}

function Fields({ balance, cards }: { balance: Balance; cards: PaymentMethod[] }) {
  const words = useWords(rechargeWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const may = useMay();
  const nameOf = useCardName();
  const key = useFormKey(`recharge.${environment}`);
  const stored = balance.auto_recharge;
  const [setting, setSetting] = useState<Setting>(stored ?? first);
  const [isOn, setOn] = useState(stored !== null);
  const isReadOnly = !may(["account:write"]) || !may(["credits:write"]);
  const change = (changes: Partial<Setting>) => setSetting({ ...setting, ...changes });
  const submit = async () => {
    const { threshold, amount, payment_method_id } = setting;
    const auto_recharge = isOn ? { threshold, amount, payment_method_id } : null;
    const { data } = await key.send((idempotencyKey) =>
      waybill.account.update({ preferences: { auto_recharge } }, { idempotencyKey }),
    );
    client.setQueryData(accountQuery(environment).queryKey, data);
    toast(words.saved);
    await client.invalidateQueries({ queryKey: [environment, "balance"] });
  };
  const money = (name: "threshold" | "amount") => ({
    name: `${path}.${name}`,
    value: setting[name],
    onChange: (value: number) => change({ [name]: value }),
    suffix: balance.currency,
    minValue: 0,
    isReadOnly,
  });
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {({ isPending }) => (
        <>
          <Switch
            isSelected={isOn}
            isDisabled={isReadOnly}
            onChange={setOn}
            description={words.turnOnNote}
          >
            {words.turnOn}
          </Switch>
          {isOn && (
            <div className="grid gap-4 sm:grid-cols-3">
              <NumberField label={words.threshold} {...money("threshold")} />
              <NumberField
                label={words.amount}
                description={words.amountNote}
                {...money("amount")}
              />
              <Select
                label={words.card}
                name={`${path}.payment_method_id`}
                isDisabled={isReadOnly}
                value={setting.payment_method_id ?? byDefault}
                onChange={(id) => change({ payment_method_id: id === byDefault ? null : id })}
                choices={[
                  { id: byDefault, label: words.defaultCard },
                  ...cards.map(({ id, brand, last4 }) => ({ id, label: nameOf({ brand, last4 }) })),
                ]}
              />
            </div>
          )}
          {(isOn || stored) && <SaveButton isPending={isPending} isReadOnly={isReadOnly} />}
        </>
      )}
    </Form>
  );
}
