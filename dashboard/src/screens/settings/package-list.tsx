import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { PackagePreset } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ListCard } from "../../kit/list-card.tsx";
import { useMay } from "../../session.ts";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { EntryMenu } from "./entry-menu.tsx";
import { packagesQuery } from "./queries.ts";
import { settingWords } from "./words.ts";

/** Loaded when it is first opened. */
const EditPackage = lazy(() => import("./edit-package.tsx"));
const Remove = lazy(async () => ({ default: (await import("./remove.tsx")).Remove }));

type Open = { what: "new" } | { what: "edit" | "remove"; preset: PackagePreset };

/** The presets of packages. */
export function PackageList() {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const mayWrite = useMay()(["addresses:write"]);
  const list = useInfiniteQuery(packagesQuery(environment));
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useColumns(mayWrite ? setOpen : null);
  const close = () => setOpen(null);
  const forget = () => client.invalidateQueries({ queryKey: [environment, "package-presets"] });
  return (
    <>
      {mayWrite && (
        <div className="mb-4 flex justify-end">
          <Button variant="primary" icon="plus" onPress={() => setOpen({ what: "new" })}>
            {words.addPackage}
          </Button>
        </div>
      )}
      <ListCard
        list={list}
        label={words.tabs.packages}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        {...(mayWrite
          ? { onOpen: (preset: PackagePreset) => setOpen({ what: "edit", preset }) }
          : {})}
        empty={
          <Empty icon="box" title={words.packagesEmpty}>
            {words.packagesEmptyText}
          </Empty>
        }
      />
      <Suspense fallback={null}>
        {open?.what === "new" && <EditPackage preset={null} onClose={close} onSaved={forget} />}
        {open?.what === "edit" && (
          <EditPackage preset={open.preset} onClose={close} onSaved={forget} />
        )}
        {open?.what === "remove" && (
          <Remove
            name={open.preset.name}
            onRemove={() => waybill.packagePresets.delete(open.preset.id)}
            onClose={close}
            onRemoved={forget}
          />
        )}
      </Suspense>
    </>
  );
}

function useColumns(onOpen: ((open: Open) => void) | null): Column<PackagePreset>[] {
  const words = useWords(settingWords);
  const numbers = new Intl.NumberFormat(regionOf(useLocale().locale));
  const { packageColumns: columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: ({ name }) => <span className="font-medium">{name}</span>,
    },
    {
      id: "size",
      header: columns.size,
      cell: ({ length, width, height, size_unit }) =>
        length && width && height ? (
          <span className="tabular">
            {[length, width, height].map((each) => numbers.format(each)).join(" × ")} {size_unit}
          </span>
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    {
      id: "weight",
      header: columns.weight,
      width: "9rem",
      cell: ({ weight, weight_unit }) =>
        weight ? (
          <span className="tabular">
            {numbers.format(weight)} {weight_unit}
          </span>
        ) : (
          <span className="text-faint">–</span>
        ),
    },
    {
      id: "type",
      header: columns.type,
      width: "9rem",
      cell: ({ package_type }) => words.packageTypes[package_type],
    },
    ...(onOpen
      ? [
          {
            id: "actions",
            header: columns.actions,
            width: "6rem",
            align: "end" as const,
            onCard: "aside" as const,
            cell: (preset: PackagePreset) => (
              <EntryMenu name={preset.name} onChoose={(what) => onOpen({ what, preset })} />
            ),
          },
        ]
      : []),
  ];
}
