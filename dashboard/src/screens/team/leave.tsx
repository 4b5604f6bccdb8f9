import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { kitWords } from "../../kit/words.ts";
import { forget, useSession } from "../../session.ts";
import { useStrong } from "../../strong.tsx";
import { useWords } from "../../words/locale.tsx";
import { teamWords } from "./words.ts";

/** The way out of the organization; its last owner cannot go, and the API says so. */
export function Leave() {
  const words = useWords(teamWords);
  const { roles: roleNames } = useWords(kitWords);
  const { user, memberships } = useSession();
  const { organization, role } = memberships[0]!;
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const strong = useStrong();
  const submit = async () => {
    const path = `/organizations/${organization.id}/members/${user.id}`;
    await strong.run(() => authCall("DELETE", path));
    forget(client);
    window.location.assign("/app/");
  };
  return (
    <Card title={words.leave}>
      <p className="mb-3 text-soft">{words.leaveText(organization.name, roleNames[role])}</p>
      <Button onPress={() => setOpen(true)}>{words.leave}</Button>
      <Dialog
        title={words.leaveTitle(organization.name)}
        role="alertdialog"
        size="sm"
        isOpen={isOpen}
        onOpenChange={setOpen}
      >
        <Form onSubmit={submit}>
          {({ isPending }) => (
            <DialogActions>
              <Button onPress={() => setOpen(false)}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.leaveAction}
              </Button>
            </DialogActions>
          )}
        </Form>
        {strong.dialog}
      </Dialog>
    </Card>
  );
}
