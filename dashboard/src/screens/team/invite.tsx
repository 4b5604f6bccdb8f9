import { useQueryClient } from "@tanstack/react-query";
import { authCall } from "../../auth.ts";
import { useFormDraft } from "../../form-draft.ts";
import { Button } from "../../kit/button.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { reachableLink } from "../../reachable-link.ts";
import type { Role } from "../../session.ts";
import { useStrong } from "../../strong.tsx";
import { useWords } from "../../words/locale.tsx";
import { RoleChoice } from "./member-dialogs.tsx";
import { invitationsQuery, type Invitation } from "./queries.ts";
import { teamWords } from "./words.ts";

export interface SentInvitation extends Invitation {
  link: string;
  is_mailed: boolean;
}

interface Props {
  organizationId: string;
  onClose: () => void;
  onSent: (sent: SentInvitation) => void;
}

const untyped: { email: string; role: Role } = { email: "", role: "shipper" };

/** Invites a person by e-mail into a role. */
export function Invite({ organizationId, onClose, onSent }: Props) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const { value: typed, change, drop } = useFormDraft("invitation", untyped);
  const submit = async () => {
    const path = `/organizations/${organizationId}/invitations`;
    const body = { email: typed.email.trim(), role: typed.role };
    const sent = await strong.run(() => authCall<SentInvitation>("POST", path, { body }));
    drop();
    onClose();
    onSent(sent);
    await client.invalidateQueries(invitationsQuery(organizationId));
  };
  return (
    <Dialog title={words.inviteTitle} isOpen onOpenChange={onClose}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.email}
              name="email"
              type="email"
              autoComplete="off"
              autoFocus
              description={words.inviteNote}
              value={typed.email}
              onChange={(email) => change({ email })}
            />
            <RoleChoice value={typed.role} onChange={(role) => change({ role })} />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.makeLink}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
      {strong.dialog}
    </Dialog>
  );
}

/** The link of an invitation, this once. */
export function InvitationLink({ sent, onClose }: { sent: SentInvitation; onClose: () => void }) {
  const words = useWords(teamWords);
  const link = reachableLink(sent.link);
  return (
    <Dialog title={words.linkTitle} isOpen isHeldOpen onOpenChange={onClose}>
      <p className="text-soft">
        {words.linkText(sent.email)} {sent.is_mailed && words.linkMailed}
      </p>
      <p className="mt-3 rounded-lg bg-hover px-3 py-2.5 font-mono text-sm break-all" data-link="">
        {link}
      </p>
      <DialogActions>
        <Copy text={link} label={words.copyLink} />
        <Button variant="primary" size="sm" onPress={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
