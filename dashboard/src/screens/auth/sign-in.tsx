import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { problemOf } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { forget } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Demo } from "./demo.tsx";
import { Frame } from "./frame.tsx";
import { safeNext } from "./safe-next.ts";
import { authWords } from "./words.ts";

interface SignedIn {
  next: "totp" | "totp_setup" | null;
}

/** Email and password, and a code where the person has one. */
export default function SignIn() {
  const words = useWords(authWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearchParts();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const enter = async () => {
    forget(client);
    await navigate({ href: safeNext(next) });
  };
  const signIn = async (given: { email: string; password: string }) => {
    const body = { email: given.email.trim(), password: given.password };
    const answer = await authCall<SignedIn>("POST", "/sign-in", { body }).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        throw problem.code === "unauthenticated" ? { ...problem, message: words.wrong } : error;
      },
    );
    if (answer.next === "totp") setNeedsCode(true);
    else await enter();
  };
  if (needsCode) return <Code onDone={enter} />;
  return (
    <Frame title={words.welcome}>
      <Form onSubmit={() => signIn({ email, password })}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.email}
              name="email"
              type="email"
              autoComplete="username"
              autoFocus
              value={email}
              onChange={setEmail}
            />
            <TextField
              label={words.password}
              name="password"
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
            <Button type="submit" variant="primary" isPending={isPending}>
              {words.signIn}
            </Button>
            <Link
              to={"/reset"}
              className="text-center text-sm text-soft underline-offset-4 hover:underline"
            >
              {words.forgot}
            </Link>
            <Demo onChoose={(user) => void signIn(user)} />
          </>
        )}
      </Form>
    </Frame>
  );
}

/** The second step: six digits, or a recovery code. */
function Code({ onDone }: { onDone: () => Promise<void> }) {
  const words = useWords(authWords);
  const [code, setCode] = useState("");
  const submit = async () => {
    await authCall("POST", "/sign-in/totp", { body: { code: code.replaceAll(/\s/g, "") } });
    await onDone();
  };
  return (
    <Frame title={words.welcome}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.codeText}</p>
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
            <Button type="submit" variant="primary" isPending={isPending}>
              {words.continue}
            </Button>
          </>
        )}
      </Form>
    </Frame>
  );
}
