import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Icon } from "../../kit/icon.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { Moment } from "../../kit/moment.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { kitWords } from "../../kit/words.ts";
import { useMay, useSession } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { Invitations } from "./invitations.tsx";
import type { SentInvitation } from "./invite.tsx";
import { membersQuery, type Member } from "./queries.ts";
import { teamWords } from "./words.ts";

type Open = { what: "invite" } | { what: "role" | "remove"; member: Member };

const loadItems = () => import("./member-items.tsx");
const MemberItems = lazy(loadItems);
const Invite = lazy(async () => ({ default: (await import("./invite.tsx")).Invite }));
const InvitationLink = lazy(async () => ({
  default: (await import("./invite.tsx")).InvitationLink,
}));
const ChangeRole = lazy(async () => ({
  default: (await import("./member-dialogs.tsx")).ChangeRole,
}));
const RemoveMember = lazy(async () => ({
  default: (await import("./member-dialogs.tsx")).RemoveMember,
}));

/** Who belongs to the organization, in which role, and who is invited: for its owners. */
export default function Team() {
  const words = useWords(teamWords);
  const may = useMay();
  const { organization } = useSession().memberships[0]!;
  const isOwner = may(undefined, ["owner"]);
  const members = useQuery({ ...membersQuery(organization.id), enabled: isOwner });
  const [open, setOpen] = useState<Open | null>(null);
  // The link is in this state until it is closed, and nowhere else.
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const columns = useColumns(setOpen);
  const close = () => setOpen(null);
  if (!isOwner)
    return (
      <Page title={words.team}>
        <Card>
          <Empty icon="users" title={words.ownersOnly}>
            {words.ownersOnlyText}
          </Empty>
        </Card>
      </Page>
    );
  const invite = (
    <Button variant="primary" icon="plus" onPress={() => setOpen({ what: "invite" })}>
      {words.invite}
    </Button>
  );
  return (
    <Page title={words.team} description={words.teamText(organization.name)} actions={invite}>
      <Card title={words.members} isFlush>
        {members.isPending ? (
          <Skeleton />
        ) : members.error ? (
          <div className="p-4">
            <Failure error={members.error} onRetry={() => void members.refetch()} />
          </div>
        ) : (
          <DataTable
            label={words.members}
            rows={members.data}
            columns={columns}
            idOf={({ user_id }) => user_id}
            nameOf={({ name }) => name}
          />
        )}
      </Card>
      <Invitations organizationId={organization.id} />
      <Suspense fallback={null}>
        {open?.what === "invite" && (
          <Invite organizationId={organization.id} onClose={close} onSent={setSent} />
        )}
        {open?.what === "role" && (
          <ChangeRole organizationId={organization.id} member={open.member} onClose={close} />
        )}
        {open?.what === "remove" && (
          <RemoveMember organizationId={organization.id} member={open.member} onClose={close} />
        )}
        {sent && <InvitationLink sent={sent} onClose={() => setSent(null)} />}
      </Suspense>
    </Page>
  );
}

function useColumns(onOpen: (open: Open) => void): Column<Member>[] {
  const words = useWords(teamWords);
  const { roles: roleNames } = useWords(kitWords);
  const { user } = useSession();
  const { memberColumns: columns } = words;
  return [
    {
      id: "name",
      header: columns.name,
      onCard: "title",
      cell: ({ user_id, name, email }) => (
        <span className="flex flex-col leading-snug">
          <span className="truncate font-medium">
            {name}
            {user_id === user.id && <span className="font-normal text-faint"> ({words.you})</span>}
          </span>
          <span className="truncate text-sm font-normal text-faint">{email}</span>
        </span>
      ),
    },
    {
      id: "role",
      header: columns.role,
      width: "10rem",
      cell: ({ role }) => (
        <Badge tone={role === "owner" ? "accent" : "neutral"}>{roleNames[role]}</Badge>
      ),
    },
    {
      id: "totp",
      header: columns.totp,
      width: "9rem",
      onCard: "hidden",
      cell: ({ has_totp }) =>
        has_totp ? (
          <Badge tone="good">{words.totpOn}</Badge>
        ) : (
          <span className="text-faint">{words.totpOff}</span>
        ),
    },
    {
      id: "since",
      header: columns.since,
      width: "11rem",
      onCard: "hidden",
      cell: ({ created_at }) => <Moment at={created_at} form="date" />,
    },
    {
      id: "actions",
      header: columns.actions,
      width: "6rem",
      align: "end",
      onCard: "aside",
      cell: (member) => (
        <MenuButton
          aria-label={words.more(member.name)}
          className={buttonStyle({ variant: "quiet", size: "icon" })}
          preload={loadItems}
          renderItems={(menu) => (
            <MemberItems
              {...menu}
              name={member.name}
              onChoose={(what) => onOpen({ what, member })}
            />
          )}
        >
          <Icon name="more" />
        </MenuButton>
      ),
    },
  ];
}
