import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { authWords } from "./words.ts";

interface Props {
  /** On the button that sends the form. */
  action: string;
  /** Stands in place of the form once it was sent. */
  done: string;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** One step of the way to a new password, and the way back to sign in. */
export function ResetFrame({ action, done, onSubmit, children }: Props) {
  const words = useWords(authWords);
  const [isDone, setDone] = useState(false);
  const submit = async () => {
    await onSubmit();
    setDone(true);
  };
  return (
    <Frame title={words.reset}>
      {isDone ? (
        <Notice tone="good">{done}</Notice>
      ) : (
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <>
              {children}
              <Button type="submit" variant="primary" isPending={isPending}>
                {action}
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
