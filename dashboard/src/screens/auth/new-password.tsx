import { useState } from "react";
import { authCall } from "../../auth.ts";
import { problemOf } from "../../kit/problem.ts";
import { TextField } from "../../kit/text-field.tsx";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { ResetFrame } from "./reset-frame.tsx";
import { authWords } from "./words.ts";

/** Sets a new password by a link that works once. */
export default function NewPassword() {
  const words = useWords(authWords);
  const token = usePathPart("token");
  const [password, setPassword] = useState("");
  const submit = async () => {
    await authCall("POST", `/resets/${encodeURIComponent(token)}`, { body: { password } }).catch(
      (error: unknown) => {
        const problem = problemOf(error);
        throw problem.status === 404 ? { ...problem, message: words.linkGone } : error;
      },
    );
  };
  return (
    <ResetFrame action={words.setPassword} done={words.passwordSet} onSubmit={submit}>
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
    </ResetFrame>
  );
}
