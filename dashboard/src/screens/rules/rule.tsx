import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Rule } from "@waybill/sdk";
import { lazy, Suspense, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { sendWithKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Form } from "../../kit/form.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { usePathPart } from "../../url.ts";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { DeleteRule } from "./delete-rule.tsx";
import { bodyOf, draftOf, isSame, type RuleDraft } from "./draft.ts";
import { ruleQuery } from "./queries.ts";
import { RuleFields } from "./rule-fields.tsx";
import { useRuleDraft } from "./use-draft.ts";
import { ruleWords } from "./words.ts";

const Conflict = lazy(() => import("./conflict.tsx"));
const DryRun = lazy(() => import("./dry-run.tsx"));
const Runs = lazy(() => import("./runs.tsx"));

/** One rule, or a new one: its conditions and actions beside what they would do. */
export default function RuleScreen() {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const id = usePathPart("rule_id");
  const query = useQuery({ ...ruleQuery(environment, id), enabled: id !== "" });
  if (id === "") return <Editor key="new" rule={null} />;
  if (query.data) return <Editor key={id} rule={query.data} />;
  return (
    <Page title={words.title}>
      <Card isFlush>
        <Loaded query={query} lines={10}>
          {() => null}
        </Loaded>
      </Card>
    </Page>
  );
}

function Editor({ rule }: { rule: Rule | null }) {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const mayWrite = useMay()(["automation:write"]);
  const edited = useRuleDraft(environment, rule);
  const { draft, isDirty, wasKept, change, begin } = edited;
  const [isDeleting, setDeleting] = useState(false);
  const { save, theirs, setTheirs } = useSave(rule, edited);
  return (
    <Page
      title={rule?.name ?? words.newTitle}
      description={words.triggers[draft.trigger]}
      actions={
        <>
          <LinkButton to={`/${environment}/rules`} variant="quiet" icon="arrowLeft">
            {words.back}
          </LinkButton>
          {rule && mayWrite && (
            <Button icon="trash" onPress={() => setDeleting(true)}>
              {words.delete}
            </Button>
          )}
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <Form onSubmit={() => save(draft)} className="flex min-w-0 flex-col gap-5">
          {({ isPending }) => (
            <>
              {wasKept && isDirty && <Notice tone="info">{words.restored}</Notice>}
              <RuleFields draft={draft} onChange={change} />
              {mayWrite && (
                <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-canvas px-1 py-3">
                  {isDirty && (
                    <>
                      <span className="mr-auto text-sm text-soft">{words.unsaved}</span>
                      <Button variant="quiet" onPress={() => begin(rule)}>
                        {words.discard}
                      </Button>
                    </>
                  )}
                  <Button type="submit" variant="primary" isPending={isPending}>
                    {words.save}
                  </Button>
                </div>
              )}
            </>
          )}
        </Form>
        <div className="flex min-w-0 flex-col gap-5">
          <Suspense fallback={<Skeleton />}>
            <DryRun draft={draft} />
            {rule && <Runs id={rule.id} />}
          </Suspense>
        </div>
      </div>
      {theirs && rule && (
        <Suspense fallback={null}>
          <Conflict
            versions={{ base: edited.base, theirs: draftOf(theirs), mine: draft }}
            onSave={(merged) => save(merged, theirs)}
            onClose={() => setTheirs(null)}
          />
        </Suspense>
      )}
      {isDeleting && rule && <DeleteRule rule={rule} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

/**
 * Saves a rule. The API replaces all of it and knows no versions: so the saved one is read before, and where it is
 * not the one that the editing began from, the difference is shown instead.
 */
function useSave(rule: Rule | null, edited: ReturnType<typeof useRuleDraft>) {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [theirs, setTheirs] = useState<Rule | null>(null);
  const done = async (saved: Rule) => {
    toast(words.saved);
    setTheirs(null);
    client.setQueryData(ruleQuery(environment, saved.id).queryKey, saved);
    void client.invalidateQueries({ queryKey: [environment, "filters"] });
    await client.invalidateQueries({ queryKey: [environment, "rules"] });
  };
  const save = async (draft: RuleDraft, seen: Rule | null = null) => {
    const form = `rule.${environment}.${rule?.id ?? "new"}`;
    if (!rule) {
      const { data } = await sendWithKey(form, (idempotencyKey) =>
        waybill.rules.create(bodyOf(draft), { idempotencyKey }),
      );
      edited.forget();
      await done(data);
      return navigate({ to: `/${environment}/rules/${data.id}` as never, replace: true });
    }
    const { data: now } = await waybill.rules.get(rule.id);
    const known = seen?.updated_at ?? edited.base_updated_at;
    const isOther = now.updated_at !== known && !isSame(draftOf(now), seen ?? edited.base);
    if (isOther) return setTheirs(now);
    const { data } = await sendWithKey(form, (idempotencyKey) =>
      waybill.rules.replace(rule.id, bodyOf(draft), { idempotencyKey }),
    );
    edited.begin(data);
    await done(data);
  };
  return { save, theirs, setTheirs };
}
