import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { useWords } from "../../words/locale.tsx";
import { ImportBuy } from "./import-buy.tsx";
import { ImportCheck } from "./import-check.tsx";
import { ImportColumns } from "./import-columns.tsx";
import { ImportFile } from "./import-file.tsx";
import { useImport } from "./use-import.ts";
import { batchWords } from "./words.ts";

const steps = ["file", "columns", "check", "buy"] as const;
type Step = (typeof steps)[number];

/** From a CSV file to one PDF of labels, in four steps. */
export default function ImportScreen() {
  const words = useWords(batchWords);
  const importing = useImport(useEnvironment());
  const { state, kept, error } = importing;
  const step = state?.step ?? "file";
  return (
    <Page
      title={words.importTitle}
      description={state ? words.file(state.name, state.rows.length) : words.importText}
      actions={
        state && (
          <Button icon="close" onPress={() => void importing.discard()}>
            {words.discard}
          </Button>
        )
      }
    >
      <Steps current={step} />
      {error !== null && (
        <Failure
          isInline
          error={error}
          {...(step === "check" ? { onRetry: () => void importing.check() } : {})}
        />
      )}
      {kept && (
        <Notice
          tone="info"
          title={words.underWay(kept.name)}
          action={
            <span className="flex flex-wrap gap-2">
              <Button size="sm" onPress={() => void importing.discard()}>
                {words.discard}
              </Button>
              <Button size="sm" variant="primary" onPress={importing.resume}>
                {words.goOn}
              </Button>
            </span>
          }
        >
          <p className="text-soft">{words.underWayText}</p>
        </Notice>
      )}
      {!state && <ImportFile onFile={importing.open} />}
      {state?.step === "columns" && <ImportColumns importing={importing} state={state} />}
      {state?.step === "check" && <ImportCheck importing={importing} state={state} />}
      {state?.step === "buy" && <ImportBuy importing={importing} state={state} />}
    </Page>
  );
}

function Steps({ current }: { current: Step }) {
  const words = useWords(batchWords);
  const at = steps.indexOf(current);
  return (
    <ol className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === at ? "step" : undefined}
          className={`flex items-center gap-2 ${index <= at ? "text-ink" : "text-faint"}`}
        >
          {index > 0 && <span className="h-px w-4 bg-line sm:w-8" aria-hidden="true" />}
          <span
            className={`tabular flex size-6 items-center justify-center rounded-full text-xs font-semibold ${index < at ? "bg-accent-wash text-accent" : index === at ? "bg-accent text-on-accent" : "bg-hover text-soft"}`}
          >
            {index < at ? <Icon name="check" className="size-3.5" /> : index + 1}
          </span>
          <span className={index === at ? "font-semibold" : "max-sm:sr-only"}>
            {words.steps[step]}
          </span>
        </li>
      ))}
    </ol>
  );
}
