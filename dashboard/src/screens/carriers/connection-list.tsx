import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { CarrierConnection, CatalogueCarrier } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Notice } from "../../kit/notice.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { connectionsQuery } from "./queries.ts";
import { ConnectionStatus } from "./states.tsx";
import { useConnectionCalls } from "./use-connection-calls.ts";
import { carrierWords } from "./words.ts";

type Open = { what: "new" } | { what: "edit" | "rotate" | "delete"; connection: CarrierConnection };

const loadItems = () => import("./connection-items.tsx");
const ConnectionItems = lazy(loadItems);
const EditConnection = lazy(() => import("./edit-connection.tsx"));
const RotateSecrets = lazy(() => import("./rotate-secrets.tsx"));
const DeleteConnection = lazy(() => import("./delete-connection.tsx"));

/** The account's own connections with a carrier. */
export function ConnectionList({ carrier }: { carrier: CatalogueCarrier }) {
  const words = useWords(carrierWords);
  const environment = useEnvironment();
  const client = useQueryClient();
  const mayWrite = useMay()(["carriers:write"]);
  const connections = useQuery(connectionsQuery(environment));
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useColumns(mayWrite ? setOpen : null);
  const close = () => setOpen(null);
  const forget = () => client.invalidateQueries(connectionsQuery(environment));
  const isOn = connections.data !== null;
  return (
    <Card
      title={words.connections}
      actions={
        mayWrite &&
        isOn && (
          <Button icon="plus" onPress={() => setOpen({ what: "new" })}>
            {words.add}
          </Button>
        )
      }
    >
      <p className="mb-3 text-soft">{words.connectionsNote}</p>
      <Loaded query={connections} lines={3}>
        {(all) => {
          if (all === null) return <Notice>{words.featureOff}</Notice>;
          const rows = all.filter((each) => each.carrier === carrier.code);
          if (rows.length === 0)
            return <Empty icon="key" title={words.connectionsEmpty(carrier.name)} />;
          return (
            <DataTable
              label={words.connections}
              rows={rows}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ name }) => name}
            />
          );
        }}
      </Loaded>
      <Suspense fallback={null}>
        {(open?.what === "new" || open?.what === "edit") && (
          <EditConnection
            carrier={carrier}
            connection={open.what === "edit" ? open.connection : null}
            onClose={close}
            onSaved={forget}
          />
        )}
        {open?.what === "rotate" && (
          <RotateSecrets
            carrier={carrier}
            connection={open.connection}
            onClose={close}
            onSaved={forget}
          />
        )}
        {open?.what === "delete" && (
          <DeleteConnection connection={open.connection} onClose={close} onDeleted={forget} />
        )}
      </Suspense>
    </Card>
  );
}

/** With a menu at each where the person may change them. */
function useColumns(onOpen: ((open: Open) => void) | null): Column<CarrierConnection>[] {
  const words = useWords(carrierWords);
  const calls = useConnectionCalls();
  const { connectionColumns: columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: (connection) => <ConnectionName connection={connection} />,
    },
    {
      id: "state",
      header: columns.state,
      width: "8rem",
      cell: ({ status }) => <ConnectionStatus status={status} />,
    },
    {
      id: "tested",
      header: columns.tested,
      width: "13rem",
      cell: ({ last_test }) => <LastTest test={last_test} />,
    },
    ...(onOpen
      ? [
          {
            id: "actions",
            header: columns.actions,
            width: "6rem",
            align: "end" as const,
            onCard: "aside" as const,
            cell: (connection: CarrierConnection) => (
              <MenuButton
                aria-label={words.more(connection.name)}
                className={buttonStyle({ variant: "quiet", size: "icon" })}
                preload={loadItems}
                renderItems={(menu) => (
                  <ConnectionItems
                    {...menu}
                    connection={connection}
                    onCall={(what) => void calls[what](connection)}
                    onChoose={(what) => onOpen({ what, connection })}
                  />
                )}
              >
                <Icon name="more" />
              </MenuButton>
            ),
          },
        ]
      : []),
  ];
}

/** The name, whether it is the default, and the end of the secret by which two can be told apart. */
function ConnectionName({ connection }: { connection: CarrierConnection }) {
  const { name, is_default, secret_hint } = connection;
  const words = useWords(carrierWords);
  return (
    <span className="flex flex-col leading-snug">
      <span className="flex flex-wrap items-center gap-2">
        <span className="truncate font-medium">{name}</span>
        {is_default && <Badge tone="accent">{words.isDefault}</Badge>}
      </span>
      {secret_hint && (
        <span className="text-sm font-normal text-faint">
          {words.secretEnds} <code className="font-mono">{secret_hint}</code>
        </span>
      )}
    </span>
  );
}

function LastTest({ test }: { test: CarrierConnection["last_test"] }) {
  const words = useWords(carrierWords);
  if (!test) return <span className="text-faint">{words.never}</span>;
  return (
    <span className="flex flex-col leading-snug">
      <Moment at={test.at} form="relative" />
      <span className="text-sm text-faint">{test.ok ? words.testOk : test.code}</span>
    </span>
  );
}
