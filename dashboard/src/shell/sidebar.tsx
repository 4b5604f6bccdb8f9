import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../environment.ts";
import { Icon } from "../kit/icon.tsx";
import { useWords } from "../words/locale.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { navigation, type NavigationEntry } from "./navigation.ts";
import { useMay } from "../session.ts";
import { countOf, countsQuery, type Counted } from "./queries.ts";
import { shellWords } from "./words.ts";

/** The screens, the environment, and the person. `onChosen` closes the drawer that it is in on small screens. */
export function Sidebar({ onSearch, onChosen }: { onSearch: () => void; onChosen?: () => void }) {
  const words = useWords(shellWords);
  const may = useMay();
  const sections = navigation
    .map((section) => ({
      ...section,
      entries: section.entries.filter((entry) => may(entry.scopes, entry.roles)),
    }))
    .filter((section) => section.entries.length > 0);
  return (
    <div className="flex h-full flex-col gap-3 px-3 py-4">
      <EnvironmentSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8.5 cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-faint shadow-card hover:bg-hover"
      >
        <Icon name="search" />
        <span className="grow truncate text-left">{words.search}</span>
        <kbd className="font-sans text-xs whitespace-nowrap">Ctrl K</kbd>
      </button>
      <nav
        aria-label={words.mainNavigation}
        className="-mx-1 flex grow flex-col gap-4 overflow-y-auto px-1 pt-1"
        onClick={onChosen}
      >
        {sections.map((section) => (
          <div key={section.word}>
            <p className="px-2.5 pb-1 text-xs font-medium text-faint">
              {words.sections[section.word]}
            </p>
            <ul className="flex flex-col gap-px">
              {section.entries.map((entry) => (
                <li key={entry.path}>
                  <Entry entry={entry} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu />
    </div>
  );
}

function Entry({ entry }: { entry: NavigationEntry }) {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  const count = useCount(entry.count);
  return (
    <Link
      to={`/${environment}${entry.path === "/" ? "" : entry.path}` as never}
      activeOptions={{
        exact: entry.path === "/" || entry.path === "/shipments",
        includeSearch: false,
      }}
      className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-soft hover:bg-hover hover:text-ink"
      activeProps={{ className: "bg-accent-wash font-medium !text-accent" }}
    >
      <Icon name={entry.icon} />
      <span className="grow truncate">{words.screens[entry.word]}</span>
      {count ? (
        <span className="tabular rounded-full bg-pressed px-1.5 text-xs text-soft">{count}</span>
      ) : null}
    </Link>
  );
}

/** The number of what waits, from the one request that all entries share. */
function useCount(counted: Counted | undefined): number {
  const { data } = useQuery({ ...countsQuery(useEnvironment()), enabled: counted !== undefined });
  return counted ? countOf(data, counted) : 0;
}
