import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { forget } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Credentials } from "./credentials.tsx";
import { Frame } from "./frame.tsx";
import { safeOperatorNext } from "./safe-next.ts";
import { authWords } from "./words.ts";

/** The sign-in of those who run the platform, by a cookie of its own. */
export default function OperatorSignIn() {
  const words = useWords(authWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearchParts();
  const enter = async () => {
    forget(client);
    await navigate({ href: safeOperatorNext(next) });
  };
  return (
    <Credentials
      title={words.operatorWelcome}
      path="/operator/sign-in"
      onEnter={enter}
      setup={<SetUp onDone={enter} />}
    />
  );
}

interface NewTotp {
  secret: string;
  otpauth_url: string;
}

/** Operators need a second factor, except on the server's own machine: it is set up before they are let in. */
function SetUp({ onDone }: { onDone: () => Promise<void> }) {
  const words = useWords(authWords);
  const [totp, setTotp] = useState<NewTotp | null>(null);
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState<string[] | null>(null);
  const start = async () => setTotp(await authCall<NewTotp>("POST", "/operator/me/totp"));
  const confirm = async () => {
    const body = { code: code.replaceAll(/\s/g, "") };
    const path = "/operator/me/totp/confirm";
    const { recovery_codes } = await authCall<{ recovery_codes: string[] }>("POST", path, { body });
    setRecovery(recovery_codes);
  };
  if (recovery)
    return (
      <Frame title={words.recoveryTitle}>
        <p className="text-soft">{words.recoveryText}</p>
        <ul className="my-4 grid grid-cols-2 gap-1 font-mono text-sm">
          {recovery.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <div className="flex gap-2">
          <Copy text={recovery.join("\n")} label={words.copyCodes} />
          <Button variant="primary" onPress={() => void onDone()}>
            {words.continue}
          </Button>
        </div>
      </Frame>
    );
  return (
    <Frame title={words.secondFactor}>
      <Form onSubmit={totp ? confirm : start}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{totp ? words.secondFactorSecret : words.secondFactorText}</p>
            {totp && (
              <>
                <p className="flex items-center gap-1 font-mono text-sm break-all">
                  {totp.secret} <Copy text={totp.secret} />
                </p>
                <TextField
                  label={words.code}
                  name="code"
                  autoComplete="one-time-code"
                  inputMode="numeric"
                  autoFocus
                  isMono
                  value={code}
                  onChange={setCode}
                />
              </>
            )}
            <Button type="submit" variant="primary" isPending={isPending}>
              {totp ? words.continue : words.secondFactorStart}
            </Button>
          </>
        )}
      </Form>
    </Frame>
  );
}
