import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { problemOf } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { authWords } from "./words.ts";

/** Sets a new password by a link that works once. */
export default function NewPassword() {
  const words = useWords(authWords);
  const token = usePathPart("token");
  const [password, setPassword] = useState("");
  const [isSet, setDone] = useState(false);
  const submit = async () => {
    await authCall("POST", `/resets/${encodeURIComponent(token)}`, { body: { password } }).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        throw problem.status === 404 ? { ...problem, message: words.linkGone } : error;
      },
    );
    setDone(true);
  };
  return (
    <Frame title={words.reset}>
      {isSet ? (
        <Notice tone="good">{words.passwordSet}</Notice>
      ) : (
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <>
              <TextField
                label={words.newPassword}
                name="password"
                type="password"
                autoComplete="new-password"
                description={words.newPasswordHint}
                autoFocus
                value={password}
                onChange={setPassword}
              />
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.setPassword}
              </Button>
            </>
          )}
        </Form>
      )}
      <p className="mt-4 text-center text-sm">
        <Link to={"/sign-in"} className="text-soft underline-offset-4 hover:underline">
          {words.back}
        </Link>
      </p>
    </Frame>
  );
}
