import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CarrierConnection, CatalogueCarrier } from "@waybill/sdk";
import { carriersQuery } from "../../carriers-query.ts";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { CarrierHealth, ConnectionStatus } from "./states.tsx";
import { connectionsQuery } from "./queries.ts";
import { carrierWords } from "./words.ts";

/** Every carrier: which of its services are offered, the account's own connections with it, and its state. */
export default function Carriers() {
  const words = useWords(carrierWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const carriers = useQuery(carriersQuery(environment));
  const mayRead = useMay()(["carriers:read"]);
  const connections = useQuery({ ...connectionsQuery(environment), enabled: mayRead });
  const columns = useColumns(connections.data ?? null);
  return (
    <Page title={words.title} description={words.description}>
      <Card isFlush>
        <Loaded query={carriers} lines={10}>
          {(rows) => (
            <DataTable
              label={words.title}
              rows={rows}
              columns={columns}
              idOf={({ code }) => code}
              nameOf={({ name }) => name}
              onOpen={({ code }) =>
                void navigate({ to: `/${environment}/settings/carriers/${code}` as never })
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

/** Without the column of accounts where the account may have none of its own, or the person may not see them. */
function useColumns(connections: CarrierConnection[] | null): Column<CatalogueCarrier>[] {
  const words = useWords(carrierWords);
  const { columns } = words;
  return [
    {
      id: "carrier",
      header: columns.carrier,
      onCard: "title",
      cell: ({ name, kind }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {kind === "ltl" && <Badge>{words.kinds.ltl}</Badge>}
        </span>
      ),
    },
    {
      id: "services",
      header: columns.services,
      width: "12rem",
      cell: ({ services }) =>
        words.offered(services.filter(({ enabled }) => enabled).length, services.length),
    },
    ...(connections
      ? [
          {
            id: "accounts",
            header: columns.accounts,
            width: "14rem",
            cell: ({ code }: CatalogueCarrier) => (
              <Accounts of={connections.filter(({ carrier }) => carrier === code)} />
            ),
          },
        ]
      : []),
    {
      id: "health",
      header: columns.health,
      width: "9rem",
      onCard: "aside",
      cell: ({ health }) => <CarrierHealth health={health} />,
    },
  ];
}

/** How many there are, and the state of the one that most needs a look. */
function Accounts({ of }: { of: CarrierConnection[] }) {
  const words = useWords(carrierWords);
  if (of.length === 0) return <span className="text-faint">{words.noAccounts}</span>;
  const failing = of.find(({ status }) => status === "failing");
  return (
    <span className="flex items-center gap-2">
      {words.accountCount(of.length)}
      {failing && <ConnectionStatus status={failing.status} />}
    </span>
  );
}
