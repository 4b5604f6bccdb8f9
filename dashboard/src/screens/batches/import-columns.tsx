import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Select } from "../../kit/select.tsx";
import type { Import } from "../../import/stored-import.ts";
import {
  importFields,
  missingFields,
  remapped,
  type ImportField,
  type Units,
} from "../../import/mapping.ts";
import { useWords } from "../../words/locale.tsx";
import type { Importing } from "./use-import.ts";
import { batchWords } from "./words.ts";

const preview_rows = 20;
const leftOut = "left_out";

interface Props {
  importing: Importing;
  state: Import;
}

/** What each column is: guessed, and to be corrected, with the first rows as they are understood. */
export function ImportColumns({ importing, state }: Props) {
  const words = useWords(batchWords);
  const { headers, mapping, units, rows } = state;
  const missing = missingFields(mapping);
  const choices = [
    { id: leftOut, label: words.leftOut },
    ...importFields.map((id) => ({ id, label: words.fields[id] })),
  ];
  const set = (column: number, id: string) =>
    importing.change({
      mapping: remapped(mapping, column, id === leftOut ? null : (id as ImportField)),
    });
  return (
    <>
      <Card title={words.steps.columns}>
        <p className="mb-4 text-soft">{words.mapText}</p>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-3 md:grid-cols-2">
          {headers.map((header, column) => (
            <li key={column} className="flex items-center gap-3">
              <span className="flex min-w-0 flex-1 flex-col leading-snug">
                <span className="truncate font-medium">{header || `#${column + 1}`}</span>
                <span className="truncate text-sm text-faint">
                  {rows
                    .slice(0, 3)
                    .map((row) => row[column])
                    .filter(Boolean)
                    .join(", ") || "–"}
                </span>
              </span>
              <Select
                label={`${words.means}: ${header}`}
                isLabelHidden
                choices={choices}
                value={mapping[column] ?? leftOut}
                onChange={(id) => set(column, id)}
                className="w-44 shrink-0"
              />
            </li>
          ))}
        </ul>
        <div className="mt-5 flex flex-wrap gap-3 border-t border-line pt-4">
          <Select
            label={words.weightUnit}
            choices={["kg", "lbs", "g", "oz"].map((id) => ({ id, label: id }))}
            value={units.weight}
            onChange={(id) =>
              importing.change({ units: { ...units, weight: id as Units["weight"] } })
            }
            className="w-36"
          />
          <Select
            label={words.sizeUnit}
            choices={["cm", "in"].map((id) => ({ id, label: id }))}
            value={units.size}
            onChange={(id) => importing.change({ units: { ...units, size: id as Units["size"] } })}
            className="w-36"
          />
        </div>
      </Card>
      <Preview state={state} />
      {missing.length > 0 && (
        <Notice tone="warn">
          {words.missingFields(missing.map((field) => words.fields[field]).join(", "))}
        </Notice>
      )}
      <div className="flex justify-end">
        <Button
          variant="primary"
          isDisabled={missing.length > 0}
          onPress={() => void importing.check()}
        >
          {words.check(rows.length)}
        </Button>
      </div>
    </>
  );
}

function Preview({ state: { mapping, rows } }: { state: Import }) {
  const words = useWords(batchWords);
  const shown = rows.slice(0, preview_rows);
  const columns = importFields.filter((field) => mapping.includes(field));
  const title = words.preview(shown.length);
  return (
    <Card isFlush>
      <h2 className="px-5 pt-4 pb-2 text-lg font-semibold">{title}</h2>
      <div className="max-h-96 overflow-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="w-full border-collapse text-left text-sm" aria-label={title}>
          <thead className="sticky top-0 bg-surface">
            <tr className="border-b border-line text-soft">
              {columns.map((field) => (
                <th key={field} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                  {words.fields[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index} className="border-b border-line last:border-b-0">
                {columns.map((field) => (
                  <td key={field} className="max-w-60 truncate px-4 py-1.5 whitespace-nowrap">
                    {row[mapping.indexOf(field)]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
