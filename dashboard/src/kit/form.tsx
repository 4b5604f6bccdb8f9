import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { Form as AriaForm } from "react-aria-components/Form";
import { Failure } from "./failure.tsx";
import { fieldsOf, problemOf } from "./problem.ts";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

interface Props {
  /** Sends the form. What it throws is shown: at the fields of its details that are here, and above for the rest. */
  onSubmit: () => Promise<unknown>;
  children: (state: { isPending: boolean }) => ReactNode;
  className?: string;
  label?: string;
}

/**
 * A form whose fields are named as the API names them, so that the API's sentences appear at their fields. It
 * leaves validation to the API: errors that the browser held would keep a corrected form from being sent.
 */
export function Form({ onSubmit, children, className = "flex flex-col gap-4", label }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const send = async () => {
    // A second press before the first render after it would otherwise send twice.
    if (isSending.current) return;
    isSending.current = true;
    setPending(true);
    // The last failure stays in sight until there is an answer: without it the button would move under the pointer.
    try {
      await onSubmit();
      setError(null);
    } catch (thrown) {
      setError(thrown);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  const fields = useMemo(() => (error === null ? {} : fieldsOf(problemOf(error))), [error]);
  useFocusOnFirst(form, fields);
  const pressed = usePressOfMovedButton(form);
  return (
    <AriaForm
      ref={form}
      aria-label={label}
      validationBehavior="aria"
      validationErrors={fields}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a dialog is inside another one for React, though not for the browser.
        event.stopPropagation();
        void send();
      }}
    >
      <div
        className="contents"
        onPointerDownCapture={pressed}
        onKeyDownCapture={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.stopPropagation();
          void send();
        }}
      >
        {error !== null && <Remainder error={error} fields={fields} form={form.current} />}
        {children({ isPending })}
      </div>
    </AriaForm>
  );
}

/** What no field of the form shows. */
function Remainder({
  error,
  fields,
  form,
}: {
  error: unknown;
  fields: Record<string, string[]>;
  form: HTMLFormElement | null;
}) {
  const words = useWords(kitWords);
  const problem = problemOf(error);
  if (problem.code === "idempotency_conflict")
    return <Failure isInline error={{ ...problem, message: words.earlierAttempt }} />;
  const left = Object.entries(fields).filter(([name]) => !form?.elements.namedItem(name));
  if (Object.keys(fields).length === 0) return <Failure isInline error={error} />;
  if (left.length === 0) return null;
  return (
    <div role="alert" className="rounded-lg bg-danger-wash px-3.5 py-2.5">
      <p className="font-medium">{words.fixFields}</p>
      <ul lang="en" className="mt-1 list-disc pl-5 text-soft">
        {left.flatMap(([name, sentences]) =>
          sentences.map((sentence) => <li key={name + sentence}>{sentence}</li>),
        )}
      </ul>
    </div>
  );
}

function useFocusOnFirst(
  form: React.RefObject<HTMLFormElement | null>,
  fields: Record<string, string[]>,
) {
  useEffect(() => {
    const first = Object.keys(fields).map((name) => form.current?.elements.namedItem(name));
    const found = first.find(
      (each): each is HTMLElement => each instanceof HTMLElement && each.offsetParent !== null,
    );
    found?.focus();
  }, [fields, form]);
}

const still_px = 12;

/**
 * A press of the submit button counts where it began: a field's error that vanishes as the field loses the focus
 * moves the button away from under the pointer, and the press would come to nothing.
 */
function usePressOfMovedButton(form: React.RefObject<HTMLFormElement | null>) {
  return (event: React.PointerEvent) => {
    const button =
      event.target instanceof Element ? event.target.closest("button[type=submit]") : null;
    if (!button || event.button !== 0) return;
    const { clientX, clientY } = event;
    const onUp = (up: PointerEvent) => {
      const isStill = Math.hypot(up.clientX - clientX, up.clientY - clientY) < still_px;
      const isBelow = up.target instanceof Node && button.contains(up.target);
      if (isStill && !isBelow) form.current?.requestSubmit();
    };
    window.addEventListener("pointerup", onUp, { once: true, capture: true });
  };
}
