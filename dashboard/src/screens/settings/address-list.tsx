import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { BookAddress } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { addressLine } from "../../kit/address.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListCard } from "../../kit/list-card.tsx";
import { problemOf } from "../../kit/problem.ts";
import { SearchField } from "../../kit/search-field.tsx";
import { useTyped } from "../../kit/use-typed.ts";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { EntryMenu } from "./entry-menu.tsx";
import { addressesQuery } from "./queries.ts";
import { settingWords } from "./words.ts";

/** With its fields it is as large as the list: loaded when it is first opened. */
const EditAddress = lazy(() => import("./edit-address.tsx"));
const Remove = lazy(async () => ({ default: (await import("./remove.tsx")).Remove }));

type Open = { what: "new" } | { what: "edit" | "remove"; address: BookAddress };

/** The address book. */
export function AddressList() {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const mayWrite = useMay()(["addresses:write"]);
  const [q, setQ] = useState("");
  const typed = useTyped(q, setQ);
  const list = useInfiniteQuery(addressesQuery(environment, q));
  const [open, setOpen] = useState<Open | null>(null);
  const forget = useForgetAddresses();
  const makeSender = useMakeSender();
  const columns = useColumns(mayWrite ? { onOpen: setOpen, onSender: makeSender } : null);
  const close = () => setOpen(null);
  const add = mayWrite && (
    <Button variant="primary" icon="plus" onPress={() => setOpen({ what: "new" })}>
      {words.addAddress}
    </Button>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap justify-between gap-3">
        <SearchField label={words.search} {...typed} className="w-full sm:w-80" />
        {add}
      </div>
      <ListCard
        list={list}
        label={words.tabs.addresses}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ label }) => label}
        {...(mayWrite
          ? { onOpen: (address: BookAddress) => setOpen({ what: "edit", address }) }
          : {})}
        empty={
          <Empty icon="book" title={q ? words.nothingFound : words.addressesEmpty}>
            {!q && words.addressesEmptyText}
          </Empty>
        }
      />
      <Suspense fallback={null}>
        {open?.what === "new" && <EditAddress address={null} onClose={close} onSaved={forget} />}
        {open?.what === "edit" && (
          <EditAddress address={open.address} onClose={close} onSaved={forget} />
        )}
        {open?.what === "remove" && (
          <Remove
            name={open.address.label}
            onRemove={() => waybill.addresses.delete(open.address.id)}
            onClose={close}
            onRemoved={forget}
          />
        )}
      </Suspense>
    </>
  );
}

/** The book, and the account's default sender with it, are read again: here and on the desk. */
function useForgetAddresses() {
  const client = useQueryClient();
  const environment = useEnvironment();
  return async () => {
    await client.invalidateQueries({ queryKey: [environment, "addresses"] });
    await client.invalidateQueries({ queryKey: [environment, "account"] });
  };
}

/** Adds the use as a sender where an address has it not, as a default is of all its uses. */
function useMakeSender() {
  const words = useWords(settingWords);
  const waybill = useWaybill();
  const key = useFormKey("address.sender");
  const forget = useForgetAddresses();
  return async ({ id, label, uses }: BookAddress) => {
    const body = { uses: [...new Set([...uses, "from" as const])], is_default: true };
    try {
      await key.send((idempotencyKey) => waybill.addresses.update(id, body, { idempotencyKey }));
      toast(words.senderSet(label));
    } catch (error) {
      toast(problemOf(error).message, "danger");
    }
    await forget();
  };
}

interface Actions {
  onOpen: (open: Open) => void;
  onSender: (address: BookAddress) => Promise<void>;
}

function useColumns(actions: Actions | null): Column<BookAddress>[] {
  const words = useWords(settingWords);
  const { addressColumns: columns } = words;
  return [
    {
      id: "label",
      header: columns.label,
      width: "14rem",
      onCard: "title",
      cell: ({ label, address }) => (
        <span className="flex flex-col leading-snug">
          <span className="truncate font-medium">{label}</span>
          <span className="truncate text-sm font-normal text-faint">
            {address.company ?? address.name}
          </span>
        </span>
      ),
    },
    {
      id: "address",
      header: columns.address,
      cell: ({ address }) => <span title={addressLine(address)}>{addressLine(address)}</span>,
    },
    {
      id: "uses",
      header: columns.uses,
      width: "18rem",
      cell: ({ uses, default_for }) => (
        <span className="flex flex-wrap gap-1">
          {uses.map((use) =>
            default_for.includes(use) ? (
              <Badge key={use} tone="accent">
                {words.defaultFor(words.uses[use])}
              </Badge>
            ) : (
              <Badge key={use}>{words.uses[use]}</Badge>
            ),
          )}
        </span>
      ),
    },
    ...(actions
      ? [
          {
            id: "actions",
            header: columns.actions,
            width: "6rem",
            align: "end" as const,
            onCard: "aside" as const,
            cell: (address: BookAddress) => (
              <EntryMenu
                name={address.label}
                onChoose={(what) => actions.onOpen({ what, address })}
                onSender={() => void actions.onSender(address)}
              />
            ),
          },
        ]
      : []),
  ];
}
