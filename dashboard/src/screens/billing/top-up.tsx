import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { PaymentMethod } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Form } from "../../kit/form.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Notice } from "../../kit/notice.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { balanceQuery, cardsQuery } from "./queries.ts";
import { billingWords } from "./words.ts";

/** Charges a card and adds the amount to the balance, once however often it is pressed. */
export function TopUp({ onClose }: { onClose: () => void }) {
  const words = useWords(billingWords);
  const cards = useQuery(cardsQuery(useEnvironment()));
  return (
    <Dialog title={words.topUp} isOpen onOpenChange={onClose} size="sm">
      <Loaded query={cards} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="card" title={words.noCardTitle}>
              {words.noCardText}
            </Empty>
          ) : (
            <Fields cards={list} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Fields({ cards, onClose }: { cards: PaymentMethod[]; onClose: () => void }) {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`top-up.${environment}`);
  const balance = useQuery(balanceQuery(environment)).data;
  const [amount, setAmount] = useState(NaN);
  const [card, setCard] = useState(
    () => (cards.find(({ is_default }) => is_default) ?? cards[0]!).id,
  );
  const submit = async () => {
    // An empty field is sent as no amount, so that the API says what is wrong with it.
    const body = {
      amount: Number.isNaN(amount) ? (undefined as unknown as number) : amount,
      payment_method_id: card,
    };
    const { data } = await key.send((idempotencyKey) =>
      waybill.credits.topUp(body, { idempotencyKey }),
    );
    toast(data.status === "pending" ? words.chargePending : words.charged);
    onClose();
    await Promise.all(
      ["balance", "transactions"].map((part) =>
        client.invalidateQueries({ queryKey: [environment, part] }),
      ),
    );
  };
  return (
    <Form onSubmit={submit}>
      {({ isPending }) => (
        <>
          {key.isLeftOver && <Notice tone="warn">{words.leftOver}</Notice>}
          <NumberField
            label={words.amount}
            name="amount"
            value={amount}
            onChange={setAmount}
            suffix={balance?.currency}
            minValue={0}
            autoFocus
          />
          <Select
            label={words.card}
            name="payment_method_id"
            value={card}
            onChange={setCard}
            choices={cards.map(({ id, brand, last4, is_default }) => ({
              id,
              label: words.cardName(brand, last4),
              ...(is_default ? { description: words.defaultCard } : {}),
            }))}
          />
          <DialogActions>
            <Button type="submit" variant="primary" isPending={isPending}>
              {words.charge}
            </Button>
          </DialogActions>
        </>
      )}
    </Form>
  );
}
