import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { kitWords } from "../../kit/words.ts";
import { forget, useSession, type Role } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useStrong } from "../../strong.tsx";
import { useWords } from "../../words/locale.tsx";
import { membersQuery, roles, type Member } from "./queries.ts";
import { teamWords } from "./words.ts";

interface Props {
  organizationId: string;
  member: Member;
  onClose: () => void;
}

/** Another role for a member, which is in force within a second. */
export function ChangeRole({ organizationId, member, onClose }: Props) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const [role, setRole] = useState<Role>(member.role);
  const submit = async () => {
    const path = `/organizations/${organizationId}/members/${member.user_id}`;
    await strong.run(() => authCall("PUT", path, { body: { role } }));
    toast(words.roleChanged);
    onClose();
    await client.invalidateQueries(membersQuery(organizationId));
    await client.invalidateQueries({ queryKey: ["session"] });
  };
  return (
    <Dialog title={words.roleTitle(member.name)} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <RoleChoice value={role} onChange={setRole} />
            <p className="text-sm text-faint">{words.roleNote}</p>
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.save}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {strong.dialog}
    </Dialog>
  );
}

/** The roles, each with what it opens. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = useWords(teamWords);
  const { roles: roleNames } = useWords(kitWords);
  return (
    <RadioGroup
      label={words.role}
      name="role"
      value={value}
      onChange={(id) => onChange(id as Role)}
      choices={roles.map((id) => ({
        id,
        label: roleNames[id],
        description: words.roleTexts[id],
      }))}
    />
  );
}

/** Takes a member out. The last owner cannot be, and the API says so. */
export function RemoveMember({ organizationId, member, onClose }: Props) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const { user } = useSession();
  const submit = async () => {
    const path = `/organizations/${organizationId}/members/${member.user_id}`;
    await strong.run(() => authCall("DELETE", path));
    if (member.user_id === user.id) {
      forget(client);
      return window.location.assign("/app/");
    }
    toast(words.removed(member.name));
    onClose();
    await client.invalidateQueries(membersQuery(organizationId));
  };
  return (
    <Confirm
      title={words.removeTitle(member.name)}
      action={words.remove}
      keep={words.keep}
      onConfirm={submit}
      onClose={onClose}
      above={strong.dialog}
    >
      {words.removeText}
    </Confirm>
  );
}
