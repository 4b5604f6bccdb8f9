import { useQuery, useQueryClient } from "@tanstack/react-query";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { DataTable, type Column } from "../../kit/data-table.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Moment } from "../../kit/moment.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { kitWords } from "../../kit/words.ts";
import { toast } from "../../shell/toasts.tsx";
import { useStrong } from "../../strong.tsx";
import { useWords } from "../../words/locale.tsx";
import { invitationsQuery, type Invitation } from "./queries.ts";
import { teamWords } from "./words.ts";

/** Who is invited and has not come yet. */
export function Invitations({ organizationId }: { organizationId: string }) {
  const words = useWords(teamWords);
  const client = useQueryClient();
  const strong = useStrong();
  const list = useQuery(invitationsQuery(organizationId));
  const withdraw = async ({ id }: Invitation) => {
    const path = `/organizations/${organizationId}/invitations/${id}`;
    try {
      await strong.run(() => authCall("DELETE", path));
      toast(words.withdrawn);
    } catch (error) {
      toast(problemOf(error).message, "danger");
    }
    await client.invalidateQueries(invitationsQuery(organizationId));
  };
  const columns = useColumns((invitation) => void withdraw(invitation));
  return (
    <Card title={words.invitations} isFlush>
      {list.isPending ? (
        <Skeleton lines={2} />
      ) : list.error ? (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.data.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-soft">{words.noInvitations}</p>
      ) : (
        <DataTable
          label={words.invitations}
          rows={list.data}
          columns={columns}
          idOf={({ id }) => id}
          nameOf={({ email }) => email}
        />
      )}
      {strong.dialog}
    </Card>
  );
}

function useColumns(onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] {
  const words = useWords(teamWords);
  const { roles: roleNames } = useWords(kitWords);
  const { invitationColumns: columns } = words;
  return [
    { id: "email", header: columns.email, onCard: "title", cell: ({ email }) => email },
    {
      id: "role",
      header: columns.role,
      width: "10rem",
      cell: ({ role }) => roleNames[role],
    },
    {
      id: "expires",
      header: columns.expires,
      width: "20rem",
      onCard: "hidden",
      cell: ({ expires_at }) => <Moment at={expires_at} form="relative" />,
    },
    {
      id: "actions",
      header: columns.actions,
      width: "6rem",
      align: "end",
      onCard: "aside",
      cell: (invitation) => (
        <Button
          variant="quiet"
          size="icon"
          icon="trash"
          aria-label={words.withdraw(invitation.email)}
          onPress={() => onWithdraw(invitation)}
        />
      ),
    },
  ];
}
