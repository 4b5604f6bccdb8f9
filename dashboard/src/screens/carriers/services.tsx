import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CatalogueCarrier } from "@waybill/sdk";
import { carriersQuery } from "../../carriers-query.ts";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { Card } from "../../kit/card.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Switch } from "../../kit/switch.tsx";
import { useMay } from "../../session.ts";
import { accountQuery } from "../../shell/queries.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { carrierWords } from "./words.ts";

type Service = CatalogueCarrier["services"][number];

/** A carrier's services, each with the switch that offers it or takes it from rates, rules and batches. */
export function Services({ carrier }: { carrier: CatalogueCarrier }) {
  const words = useWords(carrierWords);
  const mayWrite = useMay()(["account:write"]);
  const change = useSwitchService();
  return (
    <Card title={words.services}>
      <p className="mb-3 text-soft">{mayWrite ? words.servicesNote : words.servicesReadOnly}</p>
      <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {carrier.services.map((service) => (
          <li key={service.service}>
            <Switch
              isSelected={service.enabled}
              isDisabled={!mayWrite || change.isPending}
              onChange={() => change.mutate(service)}
              description={reachOf(service, words)}
            >
              {service.name}
            </Switch>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function reachOf(
  { domestic, international }: Service,
  words: Record<"domestic" | "international" | "everywhere", string>,
): string {
  if (domestic && international) return words.everywhere;
  return domestic ? words.domestic : words.international;
}

/**
 * Switches one service. The account has one list of all that are off: it is read anew, so that what another person
 * switched meanwhile stays, and one switch is sent at a time.
 */
function useSwitchService() {
  const words = useWords(carrierWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ service, enabled }: Service) => {
      const { settings } = await client.fetchQuery({ ...accountQuery(environment), staleTime: 0 });
      const others = settings.disabled_services.filter((each) => each !== service);
      const disabled_services = enabled ? [...others, service] : others;
      const { data } = await sendWithKey(`service.${service}`, (idempotencyKey) =>
        waybill.account.update({ disabled_services }, { idempotencyKey }),
      );
      client.setQueryData(accountQuery(environment).queryKey, data);
      await client.invalidateQueries(carriersQuery(environment));
    },
    onSuccess: (_, { name, enabled }) =>
      toast(enabled ? words.switchedOff(name) : words.switchedOn(name)),
    onError: (error) => toast(problemOf(error).message, "danger"),
  });
}
