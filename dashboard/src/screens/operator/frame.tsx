import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Badge } from "../../kit/badge.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Icon } from "../../kit/icon.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { Toasts } from "../../shell/toasts.tsx";
import { shellWords } from "../../shell/words.ts";
import { useWords } from "../../words/locale.tsx";
import { healthQuery, operatorQuery } from "./queries.ts";
import { operatorWords } from "./words.ts";

/** The frame around the operator's pages: of no organization, and of no environment. */
export default function OperatorFrame() {
  const words = useWords(operatorWords);
  const shell = useWords(shellWords);
  const open = useQuery(healthQuery).data?.reviews.open ?? 0;
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shell.skip}
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-canvas">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:px-6">
          <span className="flex items-center gap-2.5">
            <img src="/app/icon.svg" alt="" className="size-7 rounded-lg" />
            <span className="font-semibold">Waybill</span>
            <Badge tone="warn">{words.operator}</Badge>
          </span>
          <nav
            aria-label={shell.mainNavigation}
            className="order-last flex gap-1 max-sm:w-full sm:order-none"
          >
            <Tab to="/operator">{words.accounts}</Tab>
            <Tab to="/operator/reviews" count={open}>
              {words.reviews}
            </Tab>
          </nav>
          <span className="grow" />
          <OperatorMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="outline-none">
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <Toasts />
    </>
  );
}

function Tab({ to, count = 0, children }: { to: string; count?: number; children: string }) {
  return (
    <Link
      {...{ to }}
      activeOptions={{ exact: to === "/operator", includeSearch: false }}
      className="flex h-8 items-center gap-2 rounded-md px-2.5 text-soft hover:bg-hover hover:text-ink"
      activeProps={{ className: "bg-accent-wash font-medium !text-accent" }}
    >
      {children}
      {count > 0 && (
        <span className="tabular rounded-full bg-pressed px-1.5 text-xs text-soft">{count}</span>
      )}
    </Link>
  );
}

const loadItems = () => import("./operator-items.tsx");
const Items = lazy(loadItems);

function OperatorMenu() {
  const { data: operator } = useSuspenseQuery(operatorQuery);
  return (
    <MenuButton
      className={buttonStyle({ variant: "quiet", size: "sm" })}
      preload={loadItems}
      renderItems={(props) => <Items {...props} />}
    >
      <Icon name="user" />
      <span className="max-w-48 truncate">{operator?.name || operator?.email}</span>
    </MenuButton>
  );
}
