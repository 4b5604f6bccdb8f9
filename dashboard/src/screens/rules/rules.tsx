import { useQuery } from "@tanstack/react-query";
import { useEnvironment } from "../../environment.ts";
import { Card } from "../../kit/card.tsx";
import { Empty } from "../../kit/empty.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { triggers } from "./draft.ts";
import { rulesQuery } from "./queries.ts";
import { RuleList } from "./rule-list.tsx";
import { ruleWords } from "./words.ts";

/** The rules of each trigger, in the order in which they act. */
export default function Rules() {
  const words = useWords(ruleWords);
  const environment = useEnvironment();
  const list = useQuery(rulesQuery(environment));
  const mayWrite = useMay()(["automation:write"]);
  const create = mayWrite && (
    <LinkButton to={`/${environment}/rules/new`} variant="primary" icon="plus">
      {words.create}
    </LinkButton>
  );
  return (
    <Page title={words.title} description={words.description} actions={create}>
      {list.data && list.data.length > 0 ? (
        triggers.map((trigger) => {
          const rules = list.data.filter((rule) => rule.trigger === trigger);
          return (
            rules.length > 0 && (
              <Card key={trigger} title={words.triggers[trigger]} isFlush>
                <RuleList
                  label={words.list(words.triggers[trigger])}
                  rules={rules}
                  mayWrite={mayWrite}
                />
              </Card>
            )
          );
        })
      ) : (
        <Card isFlush>
          <Loaded query={list}>
            {() => (
              <Empty icon="rule" title={words.emptyTitle} action={create}>
                {words.emptyText}
              </Empty>
            )}
          </Loaded>
        </Card>
      )}
      {mayWrite && list.data && list.data.length > 1 && (
        <p className="text-sm text-faint max-md:hidden">{words.moveHint}</p>
      )}
    </Page>
  );
}
