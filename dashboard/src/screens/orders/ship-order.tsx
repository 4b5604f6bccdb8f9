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
    const overrides = { ...itemsOf(order, quantities), ...parcelOf(weight) };
    const { data } = await key.send((idempotencyKey) =>
      waybill.orders.createShipment(order.id, overrides as Body<"createShipmentOfOrder">, {
        idempotencyKey,
      }),
    );
    await client.invalidateQueries({ queryKey: [environment] });
    await navigate({ to: `/${environment}/shipments/${data.id}` as never });
  };
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
              isOptional={order.packages.length > 0}
              {...(order.packages.length > 0 ? { description: words.weightText } : {})}
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

function parcelOf(weight: number) {
  return weight > 0 ? { packages: [{ weight, weight_unit: "kg" }] } : {};
}
