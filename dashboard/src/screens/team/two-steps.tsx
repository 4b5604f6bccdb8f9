import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { renderSVG } from "uqr";
import { authCall } from "../../auth.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useSession } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useStrong } from "../../strong.tsx";
import { useWords } from "../../words/locale.tsx";
import { teamWords } from "./words.ts";

interface NewTotp {
  secret: string;
  otpauth_url: string;
}

/** The second step of signing in: six digits of an app. */
export function TwoSteps() {
  const words = useWords(teamWords);
  const { user } = useSession();
  const strong = useStrong();
  const [started, setStarted] = useState<NewTotp | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setError(null);
    try {
      setStarted(await strong.run(() => authCall<NewTotp>("POST", "/me/totp", { body: {} })));
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <Card
      title={words.totp}
      actions={user.has_totp ? <Badge tone="good">{words.totpOn}</Badge> : undefined}
    >
      <p className="mb-3 text-soft">{user.has_totp ? words.totpIsOn : words.totpText}</p>
      {error !== null && <Failure isInline error={error} />}
      {user.has_totp ? (
        <Button onPress={() => setRemoving(true)}>{words.totpRemove}</Button>
      ) : (
        <Button icon="key" onPress={() => void start()}>
          {words.totpStart}
        </Button>
      )}
      {started && (
        <FirstCode
          totp={started}
          onClose={() => setStarted(null)}
          onCodes={(made) => {
            setStarted(null);
            setCodes(made);
          }}
        />
      )}
      {codes && <Codes codes={codes} onClose={() => setCodes(null)} />}
      {isRemoving && <Remove onClose={() => setRemoving(false)} />}
      {strong.dialog}
    </Card>
  );
}

interface FirstCodeProps {
  totp: NewTotp;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}

function FirstCode({ totp, onClose, onCodes }: FirstCodeProps) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const [code, setCode] = useState("");
  const picture = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(totp.otpauth_url, { border: 2 }))}`;
  const submit = async () => {
    const body = { code: code.replaceAll(/\s/g, "") };
    const { recovery_codes } = await strong.run(() =>
      authCall<{ recovery_codes: string[] }>("POST", "/me/totp/confirm", { body }),
    );
    onCodes(recovery_codes);
    await client.invalidateQueries({ queryKey: ["session"] });
  };
  return (
    <Dialog title={words.totp} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.totpScan}</p>
            <div className="flex flex-wrap items-center gap-5">
              <img src={picture} alt={words.totpQr} className="size-44 rounded-lg" />
              <p className="flex min-w-0 items-center gap-1">
                <code className="font-mono text-sm break-all" data-secret="">
                  {totp.secret}
                </code>
                <Copy text={totp.secret} />
              </p>
            </div>
            <TextField
              label={words.totpCode}
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              isMono
              autoFocus
              className="sm:w-64"
              value={code}
              onChange={setCode}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.totpConfirm}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {strong.dialog}
    </Dialog>
  );
}

/** The recovery codes, this once. */
function Codes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const words = useWords(teamWords);
  return (
    <Dialog title={words.recovery} isOpen isHeldOpen onOpenChange={onClose}>
      <p className="text-soft">{words.recoveryText}</p>
      <ul className="mt-3 grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg bg-hover px-4 py-3 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <Copy text={codes.join("\n")} label={words.copyCodes} />
        <Button variant="primary" size="sm" onPress={onClose}>
          {words.codesKept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Remove({ onClose }: { onClose: () => void }) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const submit = async () => {
    await strong.run(() => authCall("DELETE", "/me/totp"));
    toast(words.totpRemoved);
    onClose();
    await client.invalidateQueries({ queryKey: ["session"] });
  };
  return (
    <Confirm
      title={words.totpRemoveTitle}
      action={words.totpRemove}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
      above={strong.dialog}
    >
      {words.totpRemoveText}
    </Confirm>
  );
}
