import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Body, PaymentMethod } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Moment } from "../../kit/moment.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Select } from "../../kit/select.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { useCardName } from "./card-name.ts";
import { NoCard } from "./no-card.tsx";
import { cardsQuery } from "./queries.ts";
import { Recharge } from "./recharge/recharge.tsx";
import { billingWords } from "./words.ts";

type NewCard = Body<"createPaymentMethod">["card"];

/** The cards that top-ups are charged to, and when one is charged by itself. */
export function Cards({
  isAdding,
  onAdding,
}: {
  isAdding: boolean;
  onAdding: (is: boolean) => void;
}) {
  const words = useWords(billingWords);
  const may = useMay();
  const list = useQuery(cardsQuery(useEnvironment()));
  const [removed, setRemoved] = useState<PaymentMethod | null>(null);
  const mayWrite = may(["credits:write"]);
  const add = mayWrite && (
    <Button icon="plus" onPress={() => onAdding(true)}>
      {words.addCard}
    </Button>
  );
  return (
    <div className="flex flex-col gap-4">
      <Card isFlush>
        <Loaded query={list} lines={3}>
          {(cards) =>
            cards.length === 0 ? (
              <NoCard>{add}</NoCard>
            ) : (
              <>
                <ul aria-label={words.cards} className="divide-y divide-line">
                  {cards.map((card) => (
                    <Line
                      key={card.id}
                      card={card}
                      mayWrite={mayWrite}
                      onRemove={() => setRemoved(card)}
                    />
                  ))}
                </ul>
                {add && <div className="border-t border-line px-4 py-3">{add}</div>}
              </>
            )
          }
        </Loaded>
        {isAdding && <AddCard onClose={() => onAdding(false)} />}
        {removed && <RemoveCard card={removed} onClose={() => setRemoved(null)} />}
      </Card>
      {(list.data?.length ?? 0) > 0 && <Recharge cards={list.data!} />}
    </div>
  );
}

interface LineProps {
  card: PaymentMethod;
  mayWrite: boolean;
  onRemove: () => void;
}

function Line({
  card: { id, brand, last4, is_default, created_at },
  mayWrite,
  onRemove,
}: LineProps) {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`card.default.${id}`);
  const name = useCardName()({ brand, last4 });
  const makeDefault = async () => {
    try {
      await key.send((idempotencyKey) =>
        waybill.credits.setDefaultPaymentMethod(id, { idempotencyKey }),
      );
      await client.invalidateQueries({ queryKey: [environment, "payment-methods"] });
    } catch (error) {
      toast(problemOf(error).message, "danger");
    }
  };
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Icon name="card" className="size-5 text-faint" />
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{name}</span>
        {is_default && <Badge tone="info">{words.defaultCard}</Badge>}
        <span className="text-sm text-faint">
          {words.cardAdded} <Moment at={created_at} form="date" />
        </span>
      </span>
      {mayWrite && (
        <Menu
          label={words.cardActions(name)}
          trigger={
            <Button variant="quiet" size="icon" icon="more" aria-label={words.cardActions(name)} />
          }
        >
          {!is_default && (
            <MenuItem icon="check" onAction={() => void makeDefault()}>
              {words.makeDefault}
            </MenuItem>
          )}
          <MenuItem icon="trash" isDanger onAction={onRemove}>
            {words.removeCard}
          </MenuItem>
        </Menu>
      )}
    </li>
  );
}

function AddCard({ onClose }: { onClose: () => void }) {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`card.add.${environment}`);
  const [card, setCard] = useState<NewCard>("pm_card_visa");
  const submit = async () => {
    await key.send((idempotencyKey) =>
      waybill.credits.addPaymentMethod({ card }, { idempotencyKey }),
    );
    toast(words.cardIsAdded);
    onClose();
    await client.invalidateQueries({ queryKey: [environment, "payment-methods"] });
  };
  return (
    <Dialog title={words.addCard} isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.addCardText}</p>
            <Select
              label={words.card}
              name="card"
              value={card}
              onChange={(id) => setCard(id as NewCard)}
              choices={Object.entries(words.testCards).map(([id, label]) => ({ id, label }))}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.addCard}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function RemoveCard({ card, onClose }: { card: PaymentMethod; onClose: () => void }) {
  const words = useWords(billingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const nameOf = useCardName();
  const key = useFormKey(`card.remove.${card.id}`);
  const submit = async () => {
    await key.send((idempotencyKey) =>
      waybill.credits.deletePaymentMethod(card.id, { idempotencyKey }),
    );
    toast(words.cardIsRemoved);
    onClose();
    await client.invalidateQueries({ queryKey: [environment, "payment-methods"] });
  };
  return (
    <Confirm
      title={words.removeCardTitle(nameOf(card))}
      action={words.removeCard}
      keep={words.keepCard}
      onConfirm={submit}
      onClose={onClose}
    >
      {words.removeCardText}
    </Confirm>
  );
}
