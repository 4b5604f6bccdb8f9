import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { authWords } from "./words.ts";

/** Asks for a link to set a new password. The answer says nothing of who is known here. */
export default function Reset() {
  const words = useWords(authWords);
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const submit = async () => {
    await authCall("POST", "/resets", { body: { email: email.trim() } });
    setSent(true);
  };
  return (
    <Frame title={words.reset}>
      {isSent ? (
        <Notice tone="good">{words.sent}</Notice>
      ) : (
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <>
              <p className="text-soft">{words.resetText}</p>
              <TextField
                label={words.email}
                name="email"
                type="email"
                autoComplete="username"
                autoFocus
                value={email}
                onChange={setEmail}
              />
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.sendLink}
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
