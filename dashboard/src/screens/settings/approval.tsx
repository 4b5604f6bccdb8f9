import { Card } from "../../kit/card.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { Notice } from "../../kit/notice.tsx";
import { NumberField } from "../../kit/number-field.tsx";
import { Page } from "../../kit/page.tsx";
import { SaveButton } from "../../kit/save-button.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { useAccountChanges } from "./use-account-changes.ts";
import { settingWords } from "./words.ts";

/** A careful line to begin with. */
const careful = 0.95;

/** Which customs codes are found and approved without a person. */
export default function Approval() {
  const words = useWords(settingWords);
  const may = useMay();
  const { account, preferences, prefer, save } = useAccountChanges("approval");
  const isReadOnly = !may(["account:write"]);
  return (
    <Page title={words.approval} description={words.approvalText} width="narrow">
      {account.error ? (
        <Failure error={account.error} onRetry={() => void account.refetch()} />
      ) : !preferences ? (
        <Skeleton lines={4} />
      ) : (
        <Form onSubmit={save} className="flex flex-col gap-5">
          {({ isPending }) => (
            <>
              {isReadOnly && <Notice>{words.readOnly}</Notice>}
              <Card>
                <div className="flex flex-col gap-4">
                  <Switch
                    isSelected={preferences.auto_classify}
                    isDisabled={isReadOnly}
                    onChange={(auto_classify) => prefer({ auto_classify })}
                    description={words.classifyNote}
                  >
                    {words.classify}
                  </Switch>
                  <Switch
                    isSelected={preferences.auto_approve_confidence !== null}
                    isDisabled={isReadOnly}
                    onChange={(isOn) => prefer({ auto_approve_confidence: isOn ? careful : null })}
                    description={words.approveNote}
                  >
                    {words.approve}
                  </Switch>
                  {preferences.auto_approve_confidence !== null && (
                    <NumberField
                      label={words.confidence}
                      name="preferences.auto_approve_confidence"
                      description={words.confidenceNote}
                      formatOptions={{ style: "percent" }}
                      minValue={0}
                      maxValue={1}
                      step={0.01}
                      className="w-40"
                      isReadOnly={isReadOnly}
                      value={preferences.auto_approve_confidence}
                      onChange={(value) =>
                        prefer({ auto_approve_confidence: Number.isNaN(value) ? careful : value })
                      }
                    />
                  )}
                </div>
              </Card>
              <Card title={words.who}>
                <p className="text-soft">{words.whoText}</p>
              </Card>
              <SaveButton isPending={isPending} isReadOnly={isReadOnly} />
            </>
          )}
        </Form>
      )}
    </Page>
  );
}
