import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { Button } from "../../kit/button.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Skeleton } from "../../kit/skeleton.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { kitWords } from "../../kit/words.ts";
import { forget, type Role } from "../../session.ts";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Frame } from "./frame.tsx";
import { authWords } from "./words.ts";

interface Shown {
  organization: { name: string };
  email: string;
  role: Role;
  has_password: boolean;
}

/** Accepts an invitation: with a new password, or the one that the person signs in with already. */
export default function Invitation() {
  const words = useWords(authWords);
  const { roles: roleNames } = useWords(kitWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = usePathPart("token");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const path = `/invitations/${encodeURIComponent(token)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => authCall<Shown>("GET", path, { signal }),
  });
  if (error) {
    const isGone = [404, 409, 410, 403].includes(problemOf(error).status);
    return (
      <Frame title={words.welcome}>
        {isGone ? (
          <Notice tone="warn">{words.linkGone}</Notice>
        ) : (
          <Failure isInline error={error} onRetry={() => void refetch()} />
        )}
      </Frame>
    );
  }
  if (!data) return <Skeleton />;
  const submit = async () => {
    await authCall("POST", path, { body: { password, ...(data.has_password ? {} : { name }) } });
    forget(client);
    await navigate({ href: "/" });
  };
  return (
    <Frame title={words.invited(data.organization.name)}>
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <p className="text-soft">{words.invitedText(data.email, roleNames[data.role])}</p>
            {!data.has_password && (
              <TextField
                label={words.name}
                name="name"
                autoComplete="name"
                value={name}
                onChange={setName}
              />
            )}
            <TextField
              label={data.has_password ? words.presentPassword : words.newPassword}
              name="password"
              type="password"
              autoComplete={data.has_password ? "current-password" : "new-password"}
              description={data.has_password ? undefined : words.newPasswordHint}
              value={password}
              onChange={setPassword}
            />
            <Button type="submit" variant="primary" isPending={isPending}>
              {words.join}
            </Button>
          </>
        )}
      </Form>
    </Frame>
  );
}
