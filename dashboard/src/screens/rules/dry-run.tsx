import { useQuery } from "@tanstack/react-query";
import type { RuleTested } from "@waybill/sdk";
import { useEffect, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { Badge } from "../../kit/badge.tsx";
import { Card } from "../../kit/card.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Moment } from "../../kit/moment.tsx";
import { fieldsOf, problemOf } from "../../kit/problem.ts";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { Changes } from "./changes.tsx";
import { Explained } from "./explained.tsx";
import { subjectOf, type RuleDraft } from "./draft.ts";
import { dryRunQuery, subjectsQuery, type Subject } from "./queries.ts";
import { ruleWords } from "./words.ts";

/** What the rule as it is edited would do to the latest orders or shipments. */
export default function DryRun({ draft }: { draft: RuleDraft }) {
  const words = useWords(ruleWords);
  const kind = subjectOf(draft.trigger);
  const mayRead = useMay()([`${kind}:read`]);
  const subjects = useQuery({ ...subjectsQuery(useEnvironment(), kind), enabled: mayRead });
  const settled = useSettled(draft);
  const [shown, setShown] = useState<string | null>(null);
  if (!mayRead) return null;
  return (
    <Card title={words.dryRun}>
      <p className="mb-3 text-soft">{words.dryRunText}</p>
      <Loaded query={subjects} lines={5}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-faint">{words.dryRunNone}</p>
          ) : (
            <>
              <Incomplete draft={settled} subject={list[0]!} />
              <ul aria-label={words.dryRun} className="-mx-2 flex flex-col">
                {list.map((subject) => (
                  <Line
                    key={subject.id}
                    subject={subject}
                    draft={settled}
                    isOpen={(shown ?? list[0]!.id) === subject.id}
                    onToggle={(isOpen) => setShown(isOpen ? subject.id : "")}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const pause_ms = 500;

/** The draft as it was when the editing paused. */
function useSettled(draft: RuleDraft): RuleDraft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), pause_ms);
    return () => clearTimeout(timer);
  }, [draft]);
  return settled;
}

/** What the API says is missing, once for the whole list. */
function Incomplete({ draft, subject }: { draft: RuleDraft; subject: Subject }) {
  const words = useWords(ruleWords);
  const { error } = useQuery(dryRunQuery(useEnvironment(), draft, subject));
  if (!error) return null;
  const problem = problemOf(error);
  const sentences = Object.entries(fieldsOf(problem)).map(
    ([path, texts]) => `${path.replace(/^rule\./, "")} ${texts.join(" ")}`,
  );
  return (
    <div role="status" className="mb-3 rounded-lg bg-warn-wash px-3.5 py-2.5">
      <p className="font-medium">{words.dryRunOpen}</p>
      <ul lang="en" className="list-disc pl-5 text-sm break-words text-soft">
        {(sentences.length > 0 ? sentences : [problem.message]).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );
}

interface LineProps {
  subject: Subject;
  draft: RuleDraft;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

function Line({ subject, draft, isOpen, onToggle }: LineProps) {
  const words = useWords(ruleWords);
  const { data, error } = useQuery(dryRunQuery(useEnvironment(), draft, subject));
  const tested = error ? undefined : data;
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
        className="flex w-full cursor-pointer items-start gap-2.5 rounded-md px-2 py-2 text-left hover:bg-hover"
      >
        {tested ? (
          <Icon
            name={tested.matched ? "check" : "close"}
            className={`mt-0.5 size-4 ${tested.matched ? "text-good" : "text-faint"}`}
          />
        ) : (
          <span className="size-4 shrink-0" />
        )}
        <span className="flex min-w-0 grow flex-col">
          <span className="truncate font-medium">{subject.name}</span>
          <span className="truncate text-sm text-faint">
            {tested && <>{tested.matched ? words.matches : words.matchesNot} · </>}
            {subject.place} · <Moment at={subject.created_at} form="relative" />
          </span>
        </span>
        <Icon name={isOpen ? "chevronDown" : "chevronRight"} className="mt-0.5 size-4 text-faint" />
      </button>
      {isOpen && tested && <Outcome tested={tested} />}
    </li>
  );
}

function Outcome({ tested }: { tested: RuleTested }) {
  const words = useWords(ruleWords);
  const { matched, conditions, actions, status, error } = tested;
  const changes = actions.flatMap((action) =>
    action.changes.map((change) => ({ ...change, type: action.type })),
  );
  return (
    <div className="flex flex-col gap-3 px-2 pt-1 pb-3 pl-8.5">
      {conditions ? (
        <Explained group={conditions} />
      ) : (
        <p className="text-soft">{words.alwaysMatches}</p>
      )}
      {error && (
        <div>
          <Badge tone="danger">
            {status === "rejected" ? words.runStatuses.rejected : words.wouldFail}
          </Badge>
          <p lang="en" className="mt-1 text-soft">
            {error.message}
          </p>
        </div>
      )}
      {matched && !error && (
        <div>
          <p className="text-sm font-medium">
            {changes.length > 0 ? words.wouldChange : words.wouldChangeNothing}
          </p>
          <Changes changes={changes} />
        </div>
      )}
    </div>
  );
}
