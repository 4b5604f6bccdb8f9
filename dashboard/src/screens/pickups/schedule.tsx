import { useQueryClient } from "@tanstack/react-query";
import type { WaitingParcels } from "@waybill/sdk";
import { useMemo } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { useFormDraft } from "../../form-draft.ts";
import { addressLine } from "../../kit/address.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { formatDay } from "../../kit/moment.tsx";
import { formatMoney, Money } from "../../kit/money.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { Load } from "./load.tsx";
import type { Parcels } from "./narrowed.ts";
import { pickupWords } from "./words.ts";

interface Props {
  parcels: Parcels;
  onClose: () => void;
  /** A carrier was asked for these. */
  onAsked: (shipment_ids: readonly string[]) => void;
}

interface Typed {
  day: "today" | "next" | "other";
  date: string;
  ready_time: string;
  close_time: string;
  name: string;
  phone: string;
  instructions: string;
}

/** Asks one carrier to come to one address: when, to whom, and for how much. */
export function Schedule({ parcels, onClose, onAsked }: Props) {
  const words = useWords(pickupWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const place = addressLine(parcels.address);
  const form = `pickup.${environment}.${parcels.carrier}.${place}`;
  const key = useFormKey(form);
  const start = useMemo(() => firstTyped(parcels), [parcels]);
  const { value: typed, change, drop } = useFormDraft<Typed>(form, start);
  const submit = async () => {
    const body = { shipment_ids: parcels.shipment_ids, ...toBody(typed, parcels) };
    const { data } = await key.send((idempotencyKey) =>
      waybill.pickups.schedule(body, { idempotencyKey }),
    );
    drop();
    onAsked(parcels.shipment_ids);
    onClose();
    const isPartly = data.carriers.some(({ status }) => status === "failed");
    toast(
      data.status === "scheduled" ? words.asked : isPartly ? words.partly : words.done,
      isPartly ? "danger" : "good",
    );
    // Shipment lists show their pickup.
    void client.invalidateQueries({ queryKey: [environment, "shipments"] });
    await client.invalidateQueries({ queryKey: [environment, "pickups"] });
  };
  return (
    <Dialog title={words.scheduleTitle(parcels.carrier_name)} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">
              {place}
              <span className="block">
                <Load parcels={parcels} />
              </span>
            </p>
            <When parcels={parcels} typed={typed} onChange={change} />
            <div className="grid gap-3 sm:grid-cols-2">
              <TextField
                label={words.contact}
                name="contact.name"
                isOptional
                value={typed.name}
                onChange={(name) => change({ name })}
              />
              <TextField
                label={words.phone}
                name="contact.phone"
                type="tel"
                isOptional
                value={typed.phone}
                onChange={(phone) => change({ phone })}
              />
            </div>
            <TextField
              label={words.instructions}
              name="instructions"
              description={words.instructionsHint}
              isOptional
              value={typed.instructions}
              onChange={(instructions) => change({ instructions })}
            />
            <Fee parcels={parcels} />
            <DialogActions>
              <Confirm parcels={parcels} isPending={isPending} />
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

interface WhenProps {
  parcels: WaitingParcels;
  typed: Typed;
  onChange: (changes: Partial<Typed>) => void;
}

function When({ parcels: { today, next_date, window_minutes }, typed, onChange }: WhenProps) {
  const words = useWords(pickupWords);
  const region = regionOf(useLocale().locale);
  const todayText = ({ date, close_time_min }: NonNullable<WaitingParcels["today"]>) => {
    const day = formatDay(date, region);
    return close_time_min <= typed.close_time ? day : words.openUntil(day, close_time_min);
  };
  const choices = [
    ...(today ? [{ id: "today", label: words.today, description: todayText(today) }] : []),
    { id: "next", label: words.next, description: formatDay(next_date, region) },
    { id: "other", label: words.other },
  ];
  return (
    <>
      <RadioGroup
        label={words.day}
        name={typed.day === "other" ? "day" : "date"}
        choices={choices}
        value={typed.day === "today" && !today ? "next" : typed.day}
        onChange={(day) => onChange({ day: day as Typed["day"] })}
      />
      {typed.day === "other" && (
        <TextField
          label={words.otherDay}
          name="date"
          type="date"
          className="sm:w-56"
          value={typed.date}
          onChange={(date) => onChange({ date })}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={words.ready}
          name="ready_time"
          type="time"
          value={typed.ready_time}
          onChange={(ready_time) => onChange({ ready_time })}
        />
        <TextField
          label={words.close}
          name="close_time"
          type="time"
          value={typed.close_time}
          onChange={(close_time) => onChange({ close_time })}
        />
        <p className="col-span-2 -mt-1 text-sm text-faint">{words.timesHint(window_minutes)}</p>
      </div>
    </>
  );
}

/** What the carrier's coming costs, as the API has worked it out for this address. */
function Fee({ parcels: { fee, carrier_name } }: { parcels: WaitingParcels }) {
  const words = useWords(pickupWords);
  if (fee.total === 0) return <p className="text-soft">{words.feeNone(carrier_name)}</p>;
  const lines: [string, number][] = [
    [words.fee, fee.subtotal],
    [words.tax, fee.tax],
  ];
  return (
    <section className="rounded-lg border border-line px-3.5 py-2.5">
      <h3 className="text-sm font-medium">{words.feeTitle}</h3>
      <dl className="mt-1 text-sm">
        {lines.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-3 text-soft">
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency={fee.currency} />
            </dd>
          </div>
        ))}
        <div className="flex justify-between gap-3 font-medium">
          <dt>{words.total}</dt>
          <dd>
            <Money amount={fee.total} currency={fee.currency} />
          </dd>
        </div>
      </dl>
      <p className="mt-1 text-sm text-faint">{words.feeNote}</p>
    </section>
  );
}

function Confirm({ parcels: { fee }, isPending }: { parcels: WaitingParcels; isPending: boolean }) {
  const words = useWords(pickupWords);
  const region = regionOf(useLocale().locale);
  return (
    <Button type="submit" variant="primary" isPending={isPending}>
      {fee.total === 0
        ? words.confirm
        : words.confirmFor(formatMoney(fee.total, fee.currency, region))}
    </Button>
  );
}

/** From nine to five: today while the carrier takes that, else the next business day. */
function firstTyped({ today, next_date }: WaitingParcels): Typed {
  const close_time = "17:00";
  return {
    day: today && today.close_time_min <= close_time ? "today" : "next",
    date: next_date,
    ready_time: "09:00",
    close_time,
    name: "",
    phone: "",
    instructions: "",
  };
}

function toBody(typed: Typed, { today, next_date }: WaitingParcels) {
  const { day, ready_time, close_time, name, phone, instructions } = typed;
  const date = day === "other" ? typed.date : day === "today" && today ? today.date : next_date;
  const contact = {
    ...(name.trim() ? { name } : {}),
    ...(phone.trim() ? { phone } : {}),
  };
  return {
    date,
    ready_time,
    close_time,
    ...(Object.keys(contact).length > 0 ? { contact } : {}),
    ...(instructions.trim() ? { instructions } : {}),
  };
}
