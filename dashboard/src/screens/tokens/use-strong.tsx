import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { problemOf } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { tokenWords } from "./words.ts";

/**
 * Runs a call that may need the password again: on 403 `strong_required` it asks for it, and then makes the
 * call once more. `dialog` has to be drawn beside the form.
 */
export function useStrong() {
  const words = useWords(tokenWords);
  const [asked, setAsked] = useState<{ done: (isStrong: boolean) => void } | null>(null);
  const [password, setPassword] = useState("");
  const run = async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (problemOf(error).code !== "strong_required") throw error;
      const isStrong = await new Promise<boolean>((done) => setAsked({ done }));
      if (!isStrong) throw error;
      return call();
    }
  };
  const end = (isStrong: boolean) => {
    setPassword("");
    asked?.done(isStrong);
    setAsked(null);
  };
  const submit = async () => {
    await authCall("POST", "/strong", { body: { password } });
    end(true);
  };
  const dialog = (
    <Dialog
      title={words.strongTitle}
      isOpen={asked !== null}
      onOpenChange={() => end(false)}
      size="sm"
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.strongText}</p>
            <TextField
              label={words.password}
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onChange={setPassword}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.strongAction}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
  return { run, dialog };
}
