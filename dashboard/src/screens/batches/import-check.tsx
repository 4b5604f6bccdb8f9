import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Progress } from "../../kit/progress.tsx";
import type { Import } from "../../import/stored-import.ts";
import { importFields, type ImportField } from "../../import/mapping.ts";
import { download, toCsv } from "../../import/read-file.ts";
import { useWords } from "../../words/locale.tsx";
import type { Importing } from "./use-import.ts";
import { batchWords } from "./words.ts";

/** More rows at once than a person mends by hand. */
const shown_max = 200;

interface Props {
  importing: Importing;
  state: Import;
}

/** What the API says of each row; what it refused is mended in its cells. */
export function ImportCheck({ importing, state }: Props) {
  const words = useWords(batchWords);
  const good = Object.keys(state.created).length;
  const bad = Object.keys(state.problems).map(Number);
  const { rows, headers } = state;
  if (state.sending)
    return (
      <Card>
        <p className="mb-3 font-medium" role="status">
          {words.checking(good + bad.length, rows.length)}
        </p>
        <Progress
          label={words.steps.check}
          done={good + bad.length}
          failed={bad.length}
          total={rows.length}
        />
      </Card>
    );
  const save = () =>
    download(
      toCsv([
        [...headers, words.reason],
        ...bad.map((place) => [...rows[place]!, Object.values(state.problems[place]!).join(" ")]),
      ]),
      state.name.replace(/(\.\w+)?$/, ".errors.csv"),
    );
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Count icon="check" tone="bg-good-wash text-good" text={words.good(good)} />
        {bad.length > 0 && (
          <Count icon="alert" tone="bg-warn-wash text-warn" text={words.bad(bad.length)} />
        )}
      </div>
      {bad.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-soft">{words.badText}</p>
            <Button icon="download" onPress={save}>
              {words.downloadBad}
            </Button>
          </div>
          <Mend importing={importing} state={state} places={bad.slice(0, shown_max)} />
        </>
      ) : (
        <p className="text-soft">{words.allGood}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {good === 0 && (
          <Button icon="arrowLeft" onPress={() => importing.change({ step: "columns" })}>
            {words.back}
          </Button>
        )}
        {bad.length > 0 && (
          <Button icon="refresh" onPress={() => void importing.check()}>
            {words.recheck}
          </Button>
        )}
        <Button
          variant="primary"
          isDisabled={good === 0}
          onPress={() => importing.change({ step: "buy" })}
        >
          {words.next}
        </Button>
      </div>
    </>
  );
}

function Count({ icon, tone, text }: { icon: "check" | "alert"; tone: string; text: string }) {
  return (
    <div className="flex items-center gap-3 rounded-xl border border-line bg-surface px-5 py-4 shadow-card">
      <span className={`flex size-9 items-center justify-center rounded-full ${tone}`}>
        <Icon name={icon} className="size-4.5" />
      </span>
      <span className="tabular text-lg font-semibold">{text}</span>
    </div>
  );
}

function Mend({ importing, state, places }: Props & { places: number[] }) {
  const words = useWords(batchWords);
  const { mapping, rows, problems } = state;
  const columns = importFields.filter((field) => mapping.includes(field));
  const edit = (place: number, field: ImportField, text: string) => {
    const next = rows.slice();
    next[place] = rows[place]!.slice();
    next[place][mapping.indexOf(field)] = text;
    importing.change({ rows: next });
  };
  const title = words.bad(places.length);
  return (
    <Card isFlush>
      <div className="max-h-[32rem] overflow-auto" tabIndex={0} role="region" aria-label={title}>
        <table className="w-full border-collapse text-left text-sm" aria-label={title}>
          <thead className="sticky top-0 z-1 bg-surface">
            <tr className="border-b border-line text-soft">
              <th scope="col" className="px-4 py-2 font-medium">
                {words.row}
              </th>
              {columns.map((field) => (
                <th key={field} scope="col" className="px-2 py-2 font-medium whitespace-nowrap">
                  {words.fields[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <tr key={place} className="border-b border-line align-top last:border-b-0">
                <th scope="row" className="tabular px-4 py-3 font-normal text-faint">
                  {place + 2}
                  {problems[place]?.row && (
                    <p className="mt-1 w-48 text-danger" lang="en">
                      {problems[place].row}
                    </p>
                  )}
                </th>
                {columns.map((field) => (
                  <Cell
                    key={field}
                    label={`${words.row} ${place + 2}, ${words.fields[field]}`}
                    text={rows[place]![mapping.indexOf(field)] ?? ""}
                    problem={problems[place]?.[field]}
                    onChange={(text) => edit(place, field, text)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

interface CellProps {
  label: string;
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

function Cell({ label, text, problem, onChange }: CellProps) {
  return (
    <td className="px-1 py-1.5">
      <input
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        defaultValue={text}
        onBlur={({ target }) => target.value !== text && onChange(target.value)}
        style={{ width: `${Math.min(26, Math.max(8, text.length + 3))}ch` }}
        className={`h-8 rounded-md border bg-transparent px-2 outline-none focus:border-accent focus:ring-1 focus:ring-accent ${problem ? "border-danger bg-danger-wash" : "border-transparent hover:border-line"}`}
      />
      {problem && <p className="max-w-48 px-2 pt-0.5 text-xs text-danger">{problem}</p>}
    </td>
  );
}
