import type { OwnAccount } from "@waybill/sdk";
import { useMemo } from "react";
import { useEnvironment } from "../../environment.ts";
import { addressLine } from "../../kit/address.ts";
import { Card } from "../../kit/card.tsx";
import { ComboBox } from "../../kit/combo-box.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { SaveButton } from "../../kit/save-button.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Switch } from "../../kit/switch.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { PreferenceFields } from "./preference-fields.tsx";
import { useAccountChanges } from "./use-account-changes.ts";
import { settingWords } from "./words.ts";

/** The account: its name, zone and sender, and what its shipments get where they leave something out. */
export default function Account() {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const may = useMay();
  const changes = useAccountChanges("account");
  const { account, preferences } = changes;
  const isReadOnly = !may(["account:write"]);
  return (
    <Page
      title={words.account}
      description={words.accountText(words.environments[environment])}
      width="narrow"
    >
      {account.error ? (
        <Failure error={account.error} onRetry={() => void account.refetch()} />
      ) : !account.data || !preferences ? (
        <Skeleton />
      ) : (
        <Form onSubmit={changes.save} className="flex flex-col gap-5">
          {({ isPending }) => (
            <>
              {isReadOnly && <Notice>{words.readOnly}</Notice>}
              <Organization {...changes} account={account.data} isReadOnly={isReadOnly} />
              <Sender sender={account.data.default_from_address} />
              <PreferenceFields
                preferences={preferences}
                onChange={changes.prefer}
                isReadOnly={isReadOnly}
              />
              <Card title={words.rates}>
                <Switch
                  isSelected={
                    changes.typed.show_tier_rates_api ?? account.data.settings.show_tier_rates_api
                  }
                  isDisabled={isReadOnly}
                  onChange={(show_tier_rates_api) => changes.change({ show_tier_rates_api })}
                  description={words.tierRatesNote}
                >
                  {words.tierRates}
                </Switch>
              </Card>
              <SaveButton isPending={isPending} isReadOnly={isReadOnly} />
            </>
          )}
        </Form>
      )}
    </Page>
  );
}

interface OrganizationProps extends Pick<ReturnType<typeof useAccountChanges>, "typed" | "change"> {
  account: OwnAccount;
  isReadOnly: boolean;
}

function Organization({ account, typed, change, isReadOnly }: OrganizationProps) {
  const words = useWords(settingWords);
  const zones = useMemo(
    () =>
      Intl.supportedValuesOf("timeZone")
        // The server takes no abbreviations, which older browsers list, too.
        .filter((id) => id === "UTC" || id.includes("/"))
        .map((id) => ({ id, label: id.replaceAll("_", " ") })),
    [],
  );
  return (
    <Card title={words.organization}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={words.name}
          name="name"
          description={words.nameNote}
          isReadOnly={isReadOnly}
          value={typed.name ?? account.organization.name}
          onChange={(name) => change({ name })}
        />
        <ComboBox
          label={words.timeZone}
          name="time_zone"
          formValue="key"
          description={words.timeZoneNote}
          isReadOnly={isReadOnly}
          choices={zones}
          value={typed.time_zone ?? account.time_zone}
          onChange={(time_zone) => time_zone && change({ time_zone })}
        />
        <TextField
          label={words.currency}
          description={words.currencyNote}
          isReadOnly
          value={account.currency}
        />
      </div>
    </Card>
  );
}

/** The default sender is edited in the address book only. */
function Sender({ sender }: { sender: OwnAccount["default_from_address"] }) {
  const words = useWords(settingWords);
  const environment = useEnvironment();
  const may = useMay();
  return (
    <Card title={words.sender}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          {sender ? (
            <>
              <span className="font-medium">{sender.company ?? sender.name}</span>
              <span className="block text-soft">{addressLine(sender)}</span>
            </>
          ) : (
            <span className="text-soft">{words.senderNone}</span>
          )}
        </p>
        {may(["addresses:read"]) && (
          <LinkButton to={`/${environment}/settings/addresses`} size="sm" icon="book">
            {words.toAddresses}
          </LinkButton>
        )}
      </div>
    </Card>
  );
}
