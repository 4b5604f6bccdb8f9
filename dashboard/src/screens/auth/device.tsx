import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Notice } from "../../kit/notice.tsx";
import { problemOf } from "../../kit/problem.ts";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { scopePresets } from "../../scope-presets.ts";
import { sessionQuery, type Me } from "../../session.ts";
import { useStrong } from "../../strong.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { authWords } from "./words.ts";

interface Waiting {
  user_code: string;
  client: string;
  expires_at: string;
}

/** Lets a program that shows a code have a token (RFC 8628). */
export default function Device() {
  const words = useWords(authWords);
  const navigate = useNavigate();
  const { user_code = "" } = useSearchParts();
  const { data: me, error, refetch } = useQuery(sessionQuery);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const [isDone, setDone] = useState(false);
  const isOut = me === null;
  useEffect(() => {
    if (!isOut) return;
    const next = `/device${window.location.search}`;
    void navigate({ to: "/sign-in", search: { next } });
  }, [isOut, navigate]);
  return (
    <Frame title={words.deviceTitle}>
      {error ? (
        <Failure isInline error={error} onRetry={() => void refetch()} />
      ) : !me ? (
        <Skeleton lines={3} />
      ) : isDone ? (
        <Notice tone="good">{words.deviceDone}</Notice>
      ) : waiting ? (
        <Approve
          me={me}
          waiting={waiting}
          onDone={() => setDone(true)}
          onBack={() => setWaiting(null)}
        />
      ) : (
        <Code first={user_code} onFound={setWaiting} />
      )}
    </Frame>
  );
}

/** The code that the program shows. One from the address is to be compared and sent, too, and not just taken. */
function Code({ first, onFound }: { first: string; onFound: (waiting: Waiting) => void }) {
  const words = useWords(authWords);
  const [code, setCode] = useState(first);
  const submit = async () => {
    const user_code = code.trim();
    const path = `/device?user_code=${encodeURIComponent(user_code)}`;
    const found = await authCall<Omit<Waiting, "user_code">>("GET", path).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        throw problem.status === 404 ? { ...problem, message: words.deviceUnknown } : error;
      },
    );
    onFound({ ...found, user_code });
  };
  return (
    <Form onSubmit={submit}>
      {({ isPending }) => (
        <>
          <p className="text-soft">{words.deviceText}</p>
          <TextField
            label={words.code}
            name="user_code"
            autoComplete="off"
            autoFocus
            isMono
            placeholder="BCDF-GHJK"
            value={code}
            onChange={(text) => setCode(text.toUpperCase())}
          />
          <Button type="submit" variant="primary" isPending={isPending}>
            {words.continue}
          </Button>
        </>
      )}
    </Form>
  );
}

interface ApproveProps {
  me: Me;
  waiting: Waiting;
  onDone: () => void;
  onBack: () => void;
}

type Use = "ship" | "read" | "all" | "own";

function Approve({ me, waiting, onDone, onBack }: ApproveProps) {
  const words = useWords(authWords);
  const strong = useStrong();
  const [environment, setEnvironment] = useState<"test" | "live">("test");
  const [name, setName] = useState(waiting.client.slice(0, 80));
  const [use, setUse] = useState<Use>("ship");
  const [picked, setPicked] = useState<string[]>([]);
  const own =
    me.memberships[0]?.accounts.find((each) => each.environment === environment)?.scopes ?? [];
  const mayApprove = own.includes("tokens:manage");
  const scopes = scopesOf(use, own, picked);
  const submit = async () => {
    const body = { user_code: waiting.user_code, scopes, environment, name };
    await strong.run(() => authCall("POST", "/device/approve", { body }));
    onDone();
  };
  return (
    <>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p>
              {words.deviceAsks(waiting.client)}{" "}
              <span className="text-soft">
                {words.deviceExpires} <Moment at={waiting.expires_at} form="relative" />.
              </span>
            </p>
            <RadioGroup
              label={words.deviceWhere}
              name="environment"
              value={environment}
              onChange={(id) => setEnvironment(id as "test" | "live")}
              choices={Object.entries(words.deviceEnvironments).map(([id, label]) => ({
                id,
                label,
              }))}
            />
            {!mayApprove && <Notice tone="warn">{words.deviceMayNot}</Notice>}
            <TextField label={words.deviceName} name="name" value={name} onChange={setName} />
            <RadioGroup
              label={words.deviceScopes}
              value={use}
              onChange={(id) => setUse(id as Use)}
              choices={Object.entries(words.deviceUses).map(([id, label]) => ({ id, label }))}
            />
            {use === "own" && <Scopes own={own} picked={scopes} onPick={setPicked} />}
            <Button
              type="submit"
              variant="primary"
              isPending={isPending}
              isDisabled={!mayApprove || scopes.length === 0}
            >
              {words.deviceApprove}
            </Button>
            <Button variant="quiet" onPress={onBack}>
              {words.deviceOther}
            </Button>
          </>
        )}
      </Form>
      {strong.dialog}
    </>
  );
}

interface ScopesProps {
  own: readonly string[];
  picked: readonly string[];
  onPick: (scopes: string[]) => void;
}

function Scopes({ own, picked, onPick }: ScopesProps) {
  const words = useWords(authWords);
  return (
    <fieldset>
      <legend className="sr-only">{words.deviceScopes}</legend>
      <div className="flex max-h-56 flex-col gap-1 overflow-y-auto rounded-lg border border-line p-3">
        {own.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={picked.includes(scope)}
            onChange={(isOn) =>
              onPick(isOn ? [...picked, scope] : picked.filter((each) => each !== scope))
            }
          >
            <code className="font-mono text-xs">{scope}</code>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

/** A token may do at most what the person may do there. */
function scopesOf(use: Use, own: readonly string[], picked: readonly string[]): string[] {
  const wanted = {
    ship: scopePresets.ship as readonly string[],
    read: own.filter((scope) => scope.endsWith(":read")),
    all: own,
    own: picked,
  }[use];
  return wanted.filter((scope) => own.includes(scope));
}
