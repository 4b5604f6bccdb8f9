import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { carriersQuery } from "../../carriers-query.ts";
import { useEnvironment } from "../../environment.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Page } from "../../kit/page.tsx";
import { useMay } from "../../session.ts";
import { usePathPart } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { ConnectionList } from "./connection-list.tsx";
import { Services } from "./services.tsx";
import { CarrierHealth } from "./states.tsx";
import { carrierWords } from "./words.ts";

/** One carrier: its services, each on or off, and the account's own connections with it. */
export default function Carrier() {
  const words = useWords(carrierWords);
  const environment = useEnvironment();
  const code = usePathPart("carrier_code");
  const carriers = useQuery(carriersQuery(environment));
  const mayRead = useMay()(["carriers:read"]);
  const carrier = carriers.data?.find((each) => each.code === code);
  return (
    <Page
      title={carrier?.name ?? words.title}
      badge={carrier && <CarrierHealth health={carrier.health} />}
      description={carrier && words.evidence[carrier.evidence]}
      actions={
        <Link to={`/${environment}/settings/carriers` as never} className="text-accent underline">
          {words.back}
        </Link>
      }
      width="narrow"
    >
      <Loaded query={carriers}>
        {() =>
          carrier ? (
            <>
              {mayRead && carrier.connection_fields.length > 0 && (
                <ConnectionList carrier={carrier} />
              )}
              <Services carrier={carrier} />
            </>
          ) : (
            <Notice tone="warn">{words.unknownCarrier}</Notice>
          )
        }
      </Loaded>
    </Page>
  );
}
