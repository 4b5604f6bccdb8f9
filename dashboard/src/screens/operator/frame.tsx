import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { authCall } from "../../auth.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../kit/menu.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { forget } from "../../session.ts";
import { Toasts } from "../../shell/toasts.tsx";
import { shellWords } from "../../shell/words.ts";
import { applyTheme, readTheme, type Theme } from "../../theme.ts";
import { useLocale, useWords } from "../../words/locale.tsx";
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

const themes: Theme[] = ["system", "light", "dark"];

function OperatorMenu() {
  const words = useWords(shellWords);
  const client = useQueryClient();
  const { data: operator } = useSuspenseQuery(operatorQuery);
  const { locale, setLocale } = useLocale();
  const [theme, setTheme] = useState(readTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  const signOut = async () => {
    await authCall("POST", "/operator/sign-out", { body: {} }).catch(() => undefined);
    forget(client);
    window.location.assign("/app/operator/sign-in");
  };
  const name = operator?.name || operator?.email || "";
  return (
    <Menu
      label={words.account}
      placement="bottom end"
      trigger={
        <Button variant="quiet" size="sm" icon="user">
          <span className="max-w-48 truncate">{name}</span>
        </Button>
      }
    >
      <MenuItem
        icon={theme === "dark" ? "moon" : theme === "light" ? "sun" : "gear"}
        onAction={() => {
          applyTheme(next);
          setTheme(next);
        }}
      >
        {`${words.theme}: ${words.themes[theme]}`}
      </MenuItem>
      <MenuItem icon="globe" onAction={() => setLocale(locale === "en" ? "fr" : "en")}>
        {locale === "en" ? "Français" : "English"}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="signOut" onAction={() => void signOut()}>
        {words.signOut}
      </MenuItem>
    </Menu>
  );
}
