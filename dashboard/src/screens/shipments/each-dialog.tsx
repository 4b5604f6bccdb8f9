import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { EachCall } from "../../each.ts";
import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { LimitWait } from "../../kit/limit-wait.tsx";
import { problemOf } from "../../kit/problem.ts";
import { Progress } from "../../kit/progress.tsx";
import { kitWords } from "../../kit/words.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWords } from "../../words/locale.tsx";
import type { Chosen } from "./chosen.ts";
import { Refused } from "./refused.tsx";
import { useEach } from "./use-each.ts";
import { WhyRefused } from "./why-refused.tsx";
import { shipmentWords } from "./words.ts";

interface Props {
  title: string;
  shipments: readonly Chosen[];
  /** The call for one of them. */
  call: EachCall<Chosen>;
  /** The button that begins, and the one that leaves everything as it is. */
  action: string;
  keep: string;
  /** The action is destructive. */
  isDanger?: boolean;
  /** What is asked for is not complete. */
  isDisabled?: boolean;
  /** What is said when all is done. */
  done: (count: number) => string;
  /** The question, or the fields. */
  children: ReactNode;
  onClose: () => void;
  onDone: () => void;
}

/** Asks, then calls for each of several shipments: with a progress, and in the end those that were refused and why. */
export function EachDialog({ isDanger = false, isDisabled = false, ...props }: Props) {
  const words = useWords(shipmentWords);
  const kit = useWords(kitWords);
  const environment = useEnvironment();
  const client = useQueryClient();
  const each = useEach(props.shipments, props.call);
  const { phase, total, done } = each;
  const close = () => {
    props.onClose();
    // The list behind the dialog is read again only now: it would take away what is still shown here.
    if (phase !== "asking") void client.invalidateQueries({ queryKey: [environment] });
  };
  const submit = async () => {
    // Ctrl and Enter press no button.
    if (isDisabled || !(await each.run())) return;
    toast(props.done(total));
    props.onClose();
    props.onDone();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Dialog
      title={props.title}
      role={isDanger ? "alertdialog" : "dialog"}
      size="sm"
      isOpen
      onOpenChange={close}
      isHeldOpen={phase === "calling"}
    >
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            {phase === "asking" ? props.children : <Calls each={each} />}
            <DialogActions>
              {phase === "asking" && <Button onPress={close}>{props.keep}</Button>}
              {phase === "calling" && <Button onPress={each.stop}>{words.stop}</Button>}
              {phase === "ended" && <Button onPress={close}>{kit.close}</Button>}
              <Button
                type="submit"
                variant={isDanger ? "danger" : "primary"}
                isPending={isPending}
                isDisabled={isDisabled}
              >
                {phase === "ended" ? words.tryAgain(total - done) : props.action}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** How far the calls are, and those that were refused. */
function Calls({ each }: { each: ReturnType<typeof useEach<Chosen>> }) {
  const words = useWords(shipmentWords);
  const { phase, total, done, failed, paused_until } = each;
  return (
    <>
      <div className="flex flex-col gap-2">
        <p className="tabular text-soft">{words.doneOf(done, total)}</p>
        <Progress
          label={words.progress}
          done={done + failed.length}
          failed={failed.length}
          total={total}
        />
        {paused_until !== null && <LimitWait until={paused_until} />}
      </div>
      {phase === "ended" && failed.length > 0 && (
        <Refused
          title={words.refused(failed.length)}
          shipments={failed.map(({ thing, error }) => ({
            shipment: thing,
            why: <WhyRefused problem={problemOf(error)} />,
          }))}
        />
      )}
    </>
  );
}
