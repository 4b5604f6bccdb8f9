import type { ReactNode } from "react";
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components/Tabs";

interface TabEntry {
  id: string;
  label: string;
  count?: number | string | null;
}

interface Props {
  label: string;
  tabs: readonly TabEntry[];
  selected: string;
  onSelect: (id: string) => void;
  /** The content of the selected tab. */
  children: ReactNode;
}

/** Parts of a screen of which one is shown. Which one belongs into the URL. */
export function Tabs({ label, tabs, selected, onSelect, children }: Props) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => onSelect(String(key))}
      className="flex min-w-0 flex-col gap-4"
    >
      <TabList aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <AriaTab
            key={tab.id}
            id={tab.id}
            className="-mb-px flex cursor-pointer items-center gap-1.5 border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-soft outline-offset-[-2px] hover:text-ink selected:border-accent selected:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && tab.count !== null && (
              <span className="tabular rounded-full bg-hover px-1.5 text-xs text-soft">
                {tab.count}
              </span>
            )}
          </AriaTab>
        ))}
      </TabList>
      <TabPanel id={selected} className="min-w-0 outline-none">
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
