import { useQueryClient } from "@tanstack/react-query";
import type { Scope } from "@waybill/sdk";
import { useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Checkbox } from "../../kit/checkbox.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { Select } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useSession } from "../../session.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { scopePresets } from "./scope-presets.ts";
import { useStrong } from "./use-strong.tsx";
import { tokenWords } from "./words.ts";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onMade: (text: string) => void;
}

type Use = "ship" | "orders" | "warehouse" | "read" | "own";

/** The form of a new token: what it is for, or its scopes one by one, of those that the person has. */
export function NewToken({ isOpen, onClose, onMade }: Props) {
  const words = useWords(tokenWords);
  return (
    <Dialog title={words.create} isOpen={isOpen} onOpenChange={onClose} size="lg">
      <Fields onClose={onClose} onMade={onMade} />
    </Dialog>
  );
}

function Fields({ onClose, onMade }: Omit<Props, "isOpen">) {
  const words = useWords(tokenWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey("token.create");
  const strong = useStrong();
  const own = useOwnScopes();
  const [name, setName] = useState("");
  const [use, setUse] = useState<Use>("ship");
  const [picked, setPicked] = useState<Scope[]>([]);
  const [days, setDays] = useState("365");
  const scopes = scopesOf(use, own, picked);
  const submit = async () => {
    const body = { name, scopes, ...(days === "never" ? {} : { expires_in_days: Number(days) }) };
    const { data } = await strong.run(() =>
      key.send((idempotencyKey) => waybill.tokens.create(body, { idempotencyKey })),
    );
    onClose();
    onMade(data.token);
    await client.invalidateQueries({ queryKey: [environment, "tokens"] });
  };
  return (
    <>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.name}
              name="name"
              description={words.nameHint}
              value={name}
              onChange={setName}
              autoFocus
            />
            <RadioGroup
              label={words.use}
              value={use}
              onChange={(id) => setUse(id as Use)}
              choices={Object.entries(words.presets).map(([id, label]) => ({ id, label }))}
            />
            <fieldset>
              <legend className="mb-1.5 text-sm font-medium">{words.scopes}</legend>
              <div className="grid max-h-56 gap-x-4 gap-y-1 overflow-y-auto rounded-lg border border-line p-3 sm:grid-cols-2 md:grid-cols-3">
                {own.map((scope) => (
                  <Checkbox
                    key={scope}
                    isSelected={scopes.includes(scope)}
                    onChange={(isOn) => {
                      setUse("own");
                      setPicked(
                        isOn ? [...scopes, scope] : scopes.filter((each) => each !== scope),
                      );
                    }}
                  >
                    <code className="font-mono text-xs">{scope}</code>
                  </Checkbox>
                ))}
              </div>
            </fieldset>
            <Select
              label={words.expiry}
              choices={Object.entries(words.expiries).map(([id, label]) => ({ id, label }))}
              value={days}
              onChange={setDays}
              className="sm:w-64"
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.createAction}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {strong.dialog}
    </>
  );
}

function scopesOf(use: Use, own: Scope[], picked: Scope[]): Scope[] {
  if (use === "own") return picked;
  const wanted =
    use === "read" ? own.filter((scope) => scope.endsWith(":read")) : scopePresets[use];
  return wanted.filter((scope) => own.includes(scope));
}

/** A token may do at most what the person may do here. */
function useOwnScopes(): Scope[] {
  const { memberships } = useSession();
  const environment = useEnvironment() === "live" ? "live" : "test";
  const account = memberships[0]?.accounts.find((each) => each.environment === environment);
  return (account?.scopes ?? []) as Scope[];
}
