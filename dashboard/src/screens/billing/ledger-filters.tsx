import { useContext, useState } from "react";
import { saveFile } from "../../csv.ts";
import { Button } from "../../kit/button.tsx";
import { TimeZone } from "../../kit/moment.tsx";
import { problemOf } from "../../kit/problem.ts";
import { SearchField } from "../../kit/search-field.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useTyped } from "../../kit/use-typed.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { ledgerCsv } from "./ledger-csv.ts";
import { ledgerQueryOf, type LedgerFilters } from "./queries.ts";
import { billingWords } from "./words.ts";

interface Props {
  filters: LedgerFilters;
  onChange: (changes: LedgerFilters) => void;
}

/** What the ledger is narrowed to, and its file. */
export function LedgerFilterBar({ filters, onChange }: Props) {
  const words = useWords(billingWords);
  const typed = useTyped(filters.q ?? "", (q) => onChange({ q }));
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SearchField
        label={words.search}
        {...typed}
        className="min-w-56 grow max-sm:w-full sm:max-w-sm"
      />
      <Select
        label={words.type}
        isLabelHidden
        className="w-40 max-sm:w-full"
        choices={[
          { id: "any", label: words.anyType },
          ...Object.entries(words.types).map(([id, label]) => ({ id, label })),
        ]}
        value={filters.type ?? "any"}
        onChange={(id) => onChange({ type: id === "any" ? "" : id })}
      />
      <span className="flex gap-2 max-sm:w-full">
        <TextField
          label={words.from}
          type="date"
          className="w-38 max-sm:grow"
          value={filters.from ?? ""}
          onChange={(from) => onChange({ from })}
        />
        <TextField
          label={words.to}
          type="date"
          className="w-38 max-sm:grow"
          value={filters.to ?? ""}
          onChange={(to) => onChange({ to })}
        />
      </span>
      <Download filters={filters} />
    </div>
  );
}

const rowsMax = 10_000;

function Download({ filters }: { filters: LedgerFilters }) {
  const words = useWords(billingWords);
  const waybill = useWaybill();
  const timeZone = useContext(TimeZone);
  const [isPending, setPending] = useState(false);
  const download = async () => {
    setPending(true);
    try {
      const query = { ...ledgerQueryOf(filters, timeZone), per_page: 100 };
      const rows = await waybill.credits.transactions(query).toArray({ max: rowsMax });
      saveFile("ledger.csv", ledgerCsv(rows));
      if (rows.length === rowsMax) toast(words.cut(rowsMax), "danger");
    } catch (error) {
      toast(problemOf(error).message, "danger");
    } finally {
      setPending(false);
    }
  };
  return (
    <Button
      icon="download"
      isPending={isPending}
      onPress={() => void download()}
      className="max-sm:w-full sm:ml-auto"
    >
      {isPending ? words.downloading : words.download}
    </Button>
  );
}
