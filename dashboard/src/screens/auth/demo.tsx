import { useQuery } from "@tanstack/react-query";
import { Button } from "../../kit/button.tsx";
import { kitWords } from "../../kit/words.ts";
import { useWords } from "../../words/locale.tsx";
import { authWords } from "./words.ts";

export interface DemoUser {
  email: string;
  role: "owner" | "shipper" | "developer" | "finance" | "viewer";
  password: string;
}

/** The people of the demo organization, where this server has one and shows it: one press signs in. */
export function Demo({ onChoose }: { onChoose: (user: DemoUser) => void }) {
  const words = useWords(authWords);
  const { roles: roleNames } = useWords(kitWords);
  const { data = [] } = useQuery({
    queryKey: ["demo"],
    queryFn: async ({ signal }) => {
      const answer = await fetch("/app/demo.json", { signal });
      return ((await answer.json()) as { users: DemoUser[] }).users;
    },
    retry: false,
    staleTime: Infinity,
  });
  if (data.length === 0) return null;
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h2 className="text-sm font-semibold">{words.demo}</h2>
      <p className="mt-0.5 text-sm text-soft">{words.demoText}</p>
      <ul className="mt-3 flex flex-wrap gap-2">
        {data.map((user) => (
          <li key={user.email}>
            <Button size="sm" onPress={() => onChoose(user)}>
              {roleNames[user.role]}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
