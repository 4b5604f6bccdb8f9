import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { problemOf } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { forget } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { safeNext } from "./safe-next.ts";
import { authWords } from "./words.ts";

/** Email and password, and a code where the person has one. */
export default function SignIn() {
  const words = useWords(authWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const submit = async () => {
    await authCall("POST", "/sign-in", { body: { email, password } }).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        throw problem.code === "unauthenticated" ? { ...problem, message: words.wrong } : error;
      },
    );
    forget(client);
    await navigate({ href: safeNext(next) });
  };
  return (
    <Frame title={words.welcome}>
      <Form onSubmit={submit}>
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
          </>
        )}
      </Form>
    </Frame>
  );
}
