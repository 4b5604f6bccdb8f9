import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { forget } from "../../session.ts";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { Credentials } from "./credentials.tsx";
import { Demo } from "./demo.tsx";
import { safeNext } from "./safe-next.ts";
import { authWords } from "./words.ts";

/** The sign-in of an organization's people. */
export default function SignIn() {
  const words = useWords(authWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearchParts();
  const enter = async () => {
    forget(client);
    await navigate({ href: safeNext(next) });
  };
  return (
    <Credentials title={words.welcome} path="/sign-in" onEnter={enter}>
      {(signIn) => (
        <>
          <Link
            to={"/reset"}
            className="text-center text-sm text-soft underline-offset-4 hover:underline"
          >
            {words.forgot}
          </Link>
          <Demo onChoose={signIn} />
        </>
      )}
    </Credentials>
  );
}
