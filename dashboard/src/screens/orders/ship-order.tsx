import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Body, Order } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { leftOf } from "./queries.ts";
import { orderWords } from "./words.ts";

interface Props {
  order: Order;
  onClose: () => void;
}

/** Makes a shipment of what is left of an order, or of a part of it, and opens it to be bought. */
export function ShipOrder({ order, onClose }: Props) {
  const words = useWords(orderWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const key = useFormKey(`order.ship.${order.id}`);
  const [quantities, setQuantities] = useState(() => order.items.map(leftOf));
  const [weight, setWeight] = useState(NaN);
  const submit = async () => {
    const overrides = { ...itemsOf(order, quantities), ...parcelOf(order, quantities, weight) };
    const { data } = await key.send((idempotencyKey) =>
      waybill.orders.createShipment(order.id, overrides as Body<"createShipmentOfOrder">, {
        idempotencyKey,
      }),
    );
    await client.invalidateQueries({ queryKey: [environment] });
    await navigate({ to: `/${environment}/shipments/${data.id}` as never });
  };
  const hasParcels = order.packages.length > 0 && isWhole(order, quantities);
  const isNothing = order.items.length > 0 && quantities.every((each) => !(each > 0));
  return (
    <Dialog title={words.shipTitle} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.shipText}</p>
            <ul className="flex flex-col gap-2">
              {order.items.map((item, index) =>
                leftOf(item) === 0 ? null : (
                  <li key={index} className="flex items-center gap-3">
                    <span className="min-w-0 grow truncate">{item.title}</span>
                    <NumberField
                      label={words.quantityOf(item.title)}
                      isLabelHidden
                      minValue={0}
                      maxValue={leftOf(item)}
                      value={quantities[index] ?? 0}
                      onChange={(value) =>
                        setQuantities(quantities.map((each, at) => (at === index ? value : each)))
                      }
                      className="w-20"
                    />
                    <span className="tabular w-12 text-sm text-faint">
                      {words.of(leftOf(item))}
                    </span>
                  </li>
                ),
              )}
            </ul>
            <NumberField
              label={words.weight}
              name="packages.0.weight"
              isOptional={hasParcels}
              description={hasParcels ? words.weightText : words.partWeightText}
              value={weight}
              onChange={setWeight}
              suffix="kg"
              className="w-48"
            />
            <DialogActions>
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button type="submit" variant="primary" isPending={isPending} isDisabled={isNothing}>
                {words.create}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** The lines of a part; nothing when all that is left is shipped, which is what the API takes by itself. */
function itemsOf({ items }: Order, quantities: readonly number[]) {
  if (items.every((item, index) => quantities[index] === leftOf(item))) return {};
  const part = items.flatMap(({ fulfilled_quantity: _, ...item }, index) => {
    const quantity = quantities[index] ?? 0;
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
  return { items: part };
}

/** The order's parcels hold all of it, and so do not fit a part. */
function isWhole({ items }: Order, quantities: readonly number[]): boolean {
  return items.every((item, index) => quantities[index] === item.quantity);
}

/** Nothing where the order's own parcels are meant. A part without a weight is sent as such: the API says what is missing. */
function parcelOf(order: Order, quantities: readonly number[], weight: number) {
  if (!(weight > 0) && isWhole(order, quantities)) return {};
  const parcel = { ...(weight > 0 ? { weight } : {}), weight_unit: "kg" };
  return { packages: [{ ...parcel, ...valueOf(order, quantities) }] };
}

/** What the items in it are worth, where they have one currency. */
function valueOf({ items }: Order, quantities: readonly number[]) {
  const chosen = items.map((item, index) => ({ ...item, quantity: quantities[index] ?? 0 }));
  const currencies = new Set(chosen.map((item) => item.currency));
  const cents = chosen.reduce((sum, item) => sum + Math.round(item.value * 100) * item.quantity, 0);
  if (currencies.size !== 1 || cents === 0) return {};
  return { declared_value: cents / 100, currency: [...currencies][0] };
}
