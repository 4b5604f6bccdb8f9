import { useQuery, useQueryClient } from "@tanstack/react-query";
import { authCall } from "../../auth.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Moment } from "../../kit/moment.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import { programOf } from "./program-of.ts";
import { sessionsQuery, type Session } from "./queries.ts";
import { teamWords } from "./words.ts";

/** Where the person is signed in; any of them can be ended from here. */
export function Sessions() {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const list = useQuery(sessionsQuery);
  const end = async ({ id }: Session) => {
    try {
      await authCall("DELETE", `/sessions/${id}`);
      toast(words.sessionEnded);
    } catch (error) {
      toast(problemOf(error).message, "danger");
    }
    await client.invalidateQueries(sessionsQuery);
  };
  return (
    <Card title={words.sessions} isFlush>
      {list.isPending ? (
        <Skeleton lines={2} />
      ) : list.error ? (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : (
        <ul>
          {list.data.map((session) => (
            <Line key={session.id} session={session} onEnd={() => void end(session)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const words = useWords(teamWords);
  const { browser, system } = programOf(session.user_agent);
  const name =
    browser && system ? words.on(browser, system) : (browser ?? system ?? words.unknownBrowser);
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 grow">
        <p className="font-medium" title={session.user_agent}>
          {name}
        </p>
        <p className="text-sm text-soft">
          {session.ip} · {words.seen} <Moment at={session.seen_at} form="relative" />
        </p>
      </div>
      {session.is_current ? (
        <Badge tone="good">{words.here}</Badge>
      ) : (
        <Button size="sm" aria-label={words.endSessionOf(name)} onPress={onEnd}>
          {words.endSession}
        </Button>
      )}
    </li>
  );
}
