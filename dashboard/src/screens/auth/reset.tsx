import { useState } from "react";
import { authCall } from "../../auth.ts";
import { TextField } from "../../kit/text-field.tsx";
import { useWords } from "../../words/locale.tsx";
import { ResetFrame } from "./reset-frame.tsx";
import { authWords } from "./words.ts";

/** Asks for a link to set a new password. The answer says nothing of who is known here. */
export default function Reset() {
  const words = useWords(authWords);
  const [email, setEmail] = useState("");
  const submit = async () => {
    await authCall("POST", "/resets", { body: { email: email.trim() } });
  };
  return (
    <ResetFrame action={words.sendLink} done={words.sent} onSubmit={submit}>
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
    </ResetFrame>
  );
}
