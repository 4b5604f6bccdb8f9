import { Button } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { useWords } from "../words/locale.tsx";
import { shellWords } from "./words.ts";

/** A part of the program that is no longer on the server, after an update: loading the page again brings the new one. */
const isOutdated = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

/** Instead of a screen whose code threw. */
export function Crashed({ error }: { error: unknown }) {
  const words = useWords(shellWords);
  const reload = (
    <Button variant="primary" icon="refresh" onPress={() => window.location.reload()}>
      {words.reload}
    </Button>
  );
  if (isOutdated(error)) return <Empty icon="refresh" title={words.newVersion} action={reload} />;
  return (
    <Empty icon="alert" title={words.crashed} action={reload}>
      <p>{words.crashedText}</p>
      <code className="mt-2 block font-mono text-xs break-all">
        {error instanceof Error ? error.message : String(error)}
      </code>
    </Empty>
  );
}
