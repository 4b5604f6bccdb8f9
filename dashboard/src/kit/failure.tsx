import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Icon } from "./icon.tsx";
import { fieldsOf, problemOf } from "./problem.ts";
import { Reason } from "./reason.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** Inside a form or card, where it is one line among others. */
  isInline?: boolean;
}

/** What went wrong, in the API's sentence, with the number by which support finds it. */
export function Failure({ error, onRetry, isInline }: Props) {
  const words = useWords(kitWords);
  const problem = problemOf(error);
  const fields = Object.entries(fieldsOf(problem));
  return (
    <div
      role="alert"
      className={`flex items-start gap-2.5 rounded-lg bg-danger-wash px-3.5 ${isInline ? "py-2.5" : "my-2 py-3.5"}`}
    >
      <Icon name="alert" className="mt-0.5 size-4 text-danger" />
      <div className="flex min-w-0 grow flex-col gap-1">
        {!isInline && <p className="font-semibold">{words.failed}</p>}
        <p className="text-ink">
          <Reason problem={problem} />
        </p>
        {fields.length > 0 && (
          <ul lang="en" className="list-disc pl-5 text-soft">
            {fields.map(([name, sentences]) => (
              <li key={name}>
                <code className="font-mono text-xs">{name}</code> {sentences.join(" ")}
              </li>
            ))}
          </ul>
        )}
        {problem.request_id && (
          <p className="flex flex-wrap items-center gap-x-1 text-sm text-soft">
            {words.requestId}{" "}
            <code className="font-mono text-xs break-all">{problem.request_id}</code>
            <Copy text={problem.request_id} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button size="sm" onPress={onRetry}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}
