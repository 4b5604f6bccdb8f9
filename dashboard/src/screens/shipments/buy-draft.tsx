import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Shipment } from "@waybill/sdk";
import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { formatMoney, Money } from "../../kit/money.tsx";
import { Day } from "../../kit/moment.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { ratesQuery } from "../../rates-query.ts";
import { useMay } from "../../session.ts";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { shipmentWords } from "./words.ts";

/** The services that take a draft, and the button that buys the chosen one. */
export function BuyDraft({ shipment }: { shipment: Shipment }) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const may = useMay();
  const { locale } = useLocale();
  const key = useFormKey(`buy.${shipment.id}`);
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(ratesQuery(environment, shipment.id));
  const rates = data?.data ?? [];
  const rate = rates.find(({ service }) => service === (chosen ?? shipment.service)) ?? rates[0];
  /** What a carrier asks now for a service that was quoted for less: the next press buys at that. */
  const [dearer, setDearer] = useState<{ service: string; total: number } | null>(null);
  const risen = rate && dearer?.service === rate.service ? dearer.total : null;
  const submit = async () => {
    if (!rate) return;
    // The rate names its service, at the price that is too low by now.
    const body =
      risen === null
        ? { rate_id: rate.id, expected_total: rate.total }
        : { service: rate.service, expected_total: risen };
    try {
      await key.send((idempotencyKey) =>
        waybill.labels.buy(shipment.id, body, { idempotencyKey, maxRetries: 0 }),
      );
    } catch (refusal) {
      const { code, details } = problemOf(refusal);
      if (code === "rate_changed" && typeof details["total"] === "number")
        setDearer({ service: rate.service, total: details["total"] });
      throw refusal;
    } finally {
      await client.invalidateQueries({ queryKey: [environment, "shipment", shipment.id] });
    }
  };
  return (
    <Card title={words.rates}>
      {error ? (
        <Failure isInline error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : (
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <>
              <p className="text-soft">{words.ratesText}</p>
              <RadioGroup
                aria-label={words.rates}
                value={rate?.service ?? null}
                onChange={setChosen}
                className="relative -mx-2 flex max-h-80 flex-col overflow-y-auto"
              >
                {rates.map((each) => (
                  <Radio
                    key={each.service}
                    value={each.service}
                    className="group flex cursor-pointer items-center gap-3 rounded-lg px-2 py-1.5 hover:bg-hover selected:bg-accent-wash"
                  >
                    <span className="flex size-4 shrink-0 rounded-full border border-control bg-surface group-selected:border-[5px] group-selected:border-accent" />
                    <span className="min-w-0 grow">
                      <span className="font-medium">{each.carrier.name}</span>{" "}
                      <span className="text-soft">{each.service_name}</span>
                      <span className="block text-sm text-faint">
                        <Day on={each.estimated_delivery_date} />
                      </span>
                    </span>
                    <Money amount={each.total} currency={each.currency} className="font-semibold" />
                  </Radio>
                ))}
              </RadioGroup>
              {may(["labels:create"]) && rate && (
                <div>
                  <Button type="submit" variant="primary" isPending={isPending}>
                    {words.buyFor(
                      formatMoney(risen ?? rate.total, rate.currency, regionOf(locale)),
                    )}
                  </Button>
                </div>
              )}
            </>
          )}
        </Form>
      )}
    </Card>
  );
}
