import { useState, type ReactNode } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { problemOf, type Problem } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import type en from "./words.en.ts";
import { authWords } from "./words.ts";

/** What is still missing after the password. */
type Next = "totp" | "totp_setup" | null;

interface Props {
  title: string;
  /** Of `/api/auth`. */
  path: "/sign-in" | "/operator/sign-in";
  onEnter: () => Promise<void>;
  /** Below the button, with a way to sign in by given credentials. */
  children?: (signIn: (given: Given) => void) => ReactNode;
  /** For a person who has to set up a second factor first. */
  setup?: ReactNode;
}

interface Given {
  email: string;
  password: string;
}

/** Email and password, and a code where the person has one. */
export function Credentials({ title, path, onEnter, children, setup }: Props) {
  const words = useWords(authWords);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [next, setNext] = useState<Next>(null);
  const signIn = async (given: Given) => {
    const body = { email: given.email.trim(), password: given.password };
    const answer = await authCall<{ next: Next }>("POST", path, { body }).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        const message = messageOf(problem, words);
        throw message === null ? error : { ...problem, message };
      },
    );
    if (answer.next === null) await onEnter();
    else setNext(answer.next);
  };
  if (next === "totp") return <Code title={title} path={path} onDone={onEnter} />;
  if (next === "totp_setup") return setup;
  return (
    <Frame title={title}>
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
            {children?.((given) => void signIn(given))}
          </>
        )}
      </Form>
    </Frame>
  );
}

/** A refusal in words of ours; null where the API's sentence says it. */
function messageOf({ code, details }: Problem, words: typeof en): string | null {
  if (code === "unauthenticated") return words.wrong;
  return code === "https_required" ? words.plainHttp(String(details["public_url"])) : null;
}

/** The second step: six digits, or a recovery code. */
function Code({
  title,
  path,
  onDone,
}: Pick<Props, "title" | "path"> & { onDone: () => Promise<void> }) {
  const words = useWords(authWords);
  const [code, setCode] = useState("");
  const submit = async () => {
    await authCall("POST", `${path}/totp`, { body: { code: code.replaceAll(/\s/g, "") } });
    await onDone();
  };
  return (
    <Frame title={title}>
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
