import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/card.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Icon } from "../../kit/icon.tsx";
import { LinkButton } from "../../kit/link-button.tsx";
import { Money } from "../../kit/money.tsx";
import { useEnvironment } from "../../environment.ts";
import { ownAddress, printFile } from "../../print/frame.ts";
import { useWords } from "../../words/locale.tsx";
import type { Bought as Label } from "./purchase.ts";
import { deskWords } from "./words.ts";

/** What was bought, and what is done with it next. */
export function Bought({ label, onNext }: { label: Label; onNext: () => void }) {
  const words = useWords(deskWords);
  const environment = useEnvironment();
  const { label_url, rate, cost } = label;
  return (
    <Card className="mx-auto w-full max-w-2xl">
      <div className="flex flex-col gap-5" role="status">
        <div className="flex items-center gap-3">
          <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-good-wash text-good">
            <Icon name="check" className="size-5" />
          </span>
          <div>
            <h2 className="text-lg font-semibold">{words.bought}</h2>
            <p className="text-soft">
              {rate.carrier.name} · {rate.service_name}
            </p>
          </div>
        </div>
        <dl className="grid gap-4 sm:grid-cols-3">
          <div>
            <dt className="text-sm text-faint">{words.trackingCode}</dt>
            <dd className="flex items-center gap-1 font-mono text-sm break-all">
              {label.tracking_code ?? "–"}
              {label.tracking_code && <Copy text={label.tracking_code} />}
            </dd>
          </div>
          <div>
            <dt className="text-sm text-faint">{words.paid}</dt>
            <dd>
              <Money amount={cost?.total} currency={cost?.currency ?? rate.currency} />
            </dd>
          </div>
          <div>
            <dt className="text-sm text-faint">{words.balance}</dt>
            <dd>
              <Money amount={label.balance_after} currency={cost?.currency ?? rate.currency} />
            </dd>
          </div>
        </dl>
        <div className="flex flex-wrap gap-2">
          {label_url && (
            <Button
              variant="primary"
              icon="printer"
              autoFocus
              onPress={() => void printFile(label_url)}
            >
              {words.print}
            </Button>
          )}
          <Button icon="plus" onPress={onNext}>
            {words.another}
          </Button>
          <LinkButton to={`/${environment}/shipments/${label.shipment_id}`} icon="box">
            {words.open}
          </LinkButton>
          {label_url && (
            <a
              href={ownAddress(label_url)}
              target="_blank"
              rel="noopener"
              className="inline-flex h-9 items-center gap-1.5 px-2 text-soft underline-offset-4 hover:underline"
            >
              <Icon name="external" /> {words.download}
            </a>
          )}
        </div>
      </div>
    </Card>
  );
}
