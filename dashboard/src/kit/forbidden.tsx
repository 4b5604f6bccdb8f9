import { useWords } from "../words/locale.tsx";
import { rolesWith } from "./roles.ts";
import { kitWords } from "./words.ts";

/** That the person's role does not include what needs any of the scopes, and which roles do. Loaded when it is shown. */
export default function Forbidden({ scopes }: { scopes: readonly string[] }) {
  const words = useWords(kitWords);
  return words.forbidden(rolesWith(scopes).map((role) => words.roles[role]));
}
