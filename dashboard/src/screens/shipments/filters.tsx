import { useQuery } from "@tanstack/react-query";
import { carriersQuery } from "../../carriers-query.ts";
import { useEnvironment } from "../../environment.ts";
import { SearchField } from "../../kit/search-field.tsx";
import { Select } from "../../kit/select.tsx";
import { useTyped } from "../../kit/use-typed.ts";
import { useWords } from "../../words/locale.tsx";
import { filtersQuery, type ShipmentFilters } from "./queries.ts";
import { shipmentWords } from "./words.ts";

interface Props {
  filters: ShipmentFilters;
  onChange: (changes: ShipmentFilters) => void;
}

/** Search, carrier, type and saved filter; all of them are in the URL. */
export function Filters({ filters, onChange }: Props) {
  const words = useWords(shipmentWords);
  const environment = useEnvironment();
  const saved = useQuery(filtersQuery(environment)).data ?? [];
  const carriers = useQuery({ ...carriersQuery(environment), retry: false }).data;
  const text = useTyped(filters.q ?? "", (q) => onChange({ q }));
  return (
    <div className="flex flex-wrap gap-2">
      <SearchField label={words.search} {...text} className="w-full grow sm:w-56 sm:max-w-sm" />
      {carriers && (
        <Select
          label={words.carrier}
          isLabelHidden
          choices={[
            { id: "any", label: words.anyCarrier },
            ...carriers.map(({ code, name }) => ({ id: code, label: name })),
          ]}
          value={filters.carrier ?? "any"}
          onChange={(id) => onChange({ carrier: id === "any" ? "" : id })}
          className="grow basis-36 sm:grow-0 sm:basis-44"
        />
      )}
      <Select
        label={words.type}
        isLabelHidden
        choices={[
          { id: "any", label: words.anyType },
          ...Object.entries(words.types).map(([id, label]) => ({ id, label })),
        ]}
        value={filters.type ?? "any"}
        onChange={(id) => onChange({ type: id === "any" ? "" : id })}
        className="grow basis-36 sm:grow-0 sm:basis-44"
      />
      {saved.length > 0 && (
        <Select
          label={words.savedFilter}
          isLabelHidden
          choices={[
            { id: "none", label: words.noFilter },
            ...saved.map(({ id, name }) => ({ id, label: name })),
          ]}
          value={filters.filter_id ?? "none"}
          onChange={(id) => onChange({ filter_id: id === "none" ? "" : id })}
          className="grow basis-36 sm:grow-0 sm:basis-48"
        />
      )}
    </div>
  );
}
