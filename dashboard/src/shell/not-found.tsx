import { Empty } from "../kit/empty.tsx";
import { LinkButton } from "../kit/link-button.tsx";
import { useWords } from "../words/locale.tsx";
import { useEnvironment } from "../environment.ts";
import { shellWords } from "./words.ts";

/** For an address that no screen has. */
export function NotFound() {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  return (
    <Empty
      icon="search"
      title={words.noPage}
      action={
        <LinkButton to={`/${environment}`} variant="primary">
          {words.toOverview}
        </LinkButton>
      }
    >
      {words.noPageText}
    </Empty>
  );
}
