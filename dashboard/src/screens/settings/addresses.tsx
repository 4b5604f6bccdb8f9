import { useNavigate } from "@tanstack/react-router";
import { Page } from "../../kit/page.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { useSearchParts } from "../../url.ts";
import { useWords } from "../../words/locale.tsx";
import { AddressList } from "./address-list.tsx";
import { PackageList } from "./package-list.tsx";
import { settingWords } from "./words.ts";

/** What is typed once and used again: addresses, and sizes of packages. */
export default function Addresses() {
  const words = useWords(settingWords);
  const navigate = useNavigate();
  const { tab } = useSearchParts();
  const shown = tab === "packages" ? "packages" : "addresses";
  return (
    <Page title={words.addresses} description={words.addressesText}>
      <Tabs
        label={words.addresses}
        tabs={Object.entries(words.tabs).map(([id, label]) => ({ id, label }))}
        selected={shown}
        onSelect={(id) =>
          void navigate({ search: (id === "addresses" ? {} : { tab: id }) as never })
        }
      >
        {shown === "packages" ? <PackageList /> : <AddressList />}
      </Tabs>
    </Page>
  );
}
