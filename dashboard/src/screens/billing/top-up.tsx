import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { PaymentMethod } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Notice } from "../../kit/notice.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { Select } from "../../kit/select.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { useCardName } from "./card-name.ts";
import { NoCard } from "./no-card.tsx";
import { balanceQuery, cardsQuery } from "./queries.ts";
import { useTopUp } from "./use-top-up.ts";
import { billingWords } from "./words.ts";

/** Charges a card and adds the amount to the balance, once however often it is pressed. */
export default function TopUp({
  onClose,
  onAddCard,
}: {
  onClose: () => void;
  onAddCard: () => void;
}) {
  const words = useWords(billingWords);
  const cards = useQuery(cardsQuery(useEnvironment()));
  return (
    <Dialog title={words.topUp} isOpen onOpenChange={onClose} size="sm">
      <Loaded query={cards} lines={3}>
        {(list) =>
          list.length === 0 ? (
            <NoCard>
              <Button variant="primary" icon="plus" onPress={onAddCard}>
                {words.addCard}
              </Button>
            </NoCard>
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
  const client = useQueryClient();
  const nameOf = useCardName();
  const { send, isWaiting, earlier } = useTopUp();
  const balance = useQuery(balanceQuery(environment)).data;
  const [amount, setAmount] = useState(earlier?.amount ?? NaN);
  const first = cards.find(({ is_default }) => is_default) ?? cards[0]!;
  const [card, setCard] = useState(earlier?.payment_method_id ?? first.id);
  const submit = async () => {
    // An empty field is sent as no amount, so that the API says what is wrong with it.
    const given = Number.isNaN(amount) ? (undefined as unknown as number) : amount;
    await send({ amount: given, payment_method_id: card });
    toast(words.charged);
    onClose();
    await Promise.all(
      ["balance", "transactions", "statements"].map((part) =>
        client.invalidateQueries({ queryKey: [environment, part] }),
      ),
    );
  };
  return (
    <Form onSubmit={submit}>
      {({ isPending }) => (
        <>
          {isWaiting && isPending ? (
            <Notice tone="info">{words.chargePending}</Notice>
          ) : (
            earlier && <Notice tone="warn">{words.leftOver}</Notice>
          )}
          <NumberField
            label={words.amount}
            name="amount"
            value={amount}
            onChange={setAmount}
            suffix={balance?.currency}
            minValue={0}
            isDisabled={isPending}
            autoFocus
          />
          <Select
            label={words.card}
            name="payment_method_id"
            value={card}
            onChange={setCard}
            isDisabled={isPending}
            choices={cards.map(({ id, brand, last4, is_default }) => ({
              id,
              label: nameOf({ brand, last4 }),
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
