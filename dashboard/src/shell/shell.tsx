import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useEnvironment } from "../environment.ts";
import { Button } from "../kit/button.tsx";
import { TimeZone } from "../kit/moment.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { useWords } from "../words/locale.tsx";
import { isTyping, useKeys, type Bindings } from "../kit/keys.ts";
import { lookUp } from "./lookup.ts";
import { navigation } from "./navigation.ts";
import { accountQuery } from "./queries.ts";
import { scanReader } from "./scan.ts";
import { Sidebar } from "./sidebar.tsx";
import { toast, Toasts } from "./toasts.tsx";
import { shellWords } from "./words.ts";

const Palette = lazy(() => import("./palette.tsx"));
const Help = lazy(() => import("./help.tsx"));

/** The frame around every screen of an environment. */
export function Shell() {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const timeZone = useTimeZone();
  useShortcuts({ openPalette: () => setPaletteOpen(true), openHelp: () => setHelpOpen(true) });
  useScanner();
  return (
    <TimeZone value={timeZone}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {words.skip}
      </a>
      <div
        className={`flex min-h-dvh flex-col ${environment === "sandbox" ? "[--bar:1.75rem]" : "[--bar:0rem]"}`}
      >
        {environment === "sandbox" && <SandboxBar />}
        <div className="flex grow">
          <aside className="sticky top-(--bar) hidden h-[calc(100dvh-var(--bar))] w-60 shrink-0 border-r border-line bg-canvas lg:block">
            <Sidebar onSearch={() => setPaletteOpen(true)} />
          </aside>
          <div className="flex min-w-0 grow flex-col">
            <header className="flex h-12 items-center gap-2 border-b border-line px-3 lg:hidden">
              <Button
                variant="quiet"
                size="icon"
                icon="menu"
                aria-label={words.openMenu}
                onPress={() => setDrawerOpen(true)}
              />
              <img src="/app/icon.svg" alt="" className="size-6 rounded-md" />
              <span className="grow font-semibold">Waybill</span>
              <Button
                variant="quiet"
                size="icon"
                icon="search"
                aria-label={words.search}
                onPress={() => setPaletteOpen(true)}
              />
            </header>
            <main id="content" tabIndex={-1} className="min-w-0 grow outline-none">
              <Suspense fallback={<Skeleton />}>
                <Outlet />
              </Suspense>
            </main>
          </div>
        </div>
      </div>
      <ModalOverlay
        isOpen={isDrawerOpen}
        onOpenChange={setDrawerOpen}
        isDismissable
        className="appear fixed inset-0 z-30 bg-scrim lg:hidden"
      >
        <Modal className="h-full w-68 max-w-[85vw] border-r border-line bg-canvas shadow-raised">
          <Dialog aria-label={words.mainNavigation} className="h-full outline-none">
            <Sidebar
              onSearch={() => {
                setDrawerOpen(false);
                setPaletteOpen(true);
              }}
              onChosen={() => setDrawerOpen(false)}
            />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <Suspense fallback={null}>
        {isPaletteOpen && <Palette isOpen onOpenChange={setPaletteOpen} />}
        {isHelpOpen && <Help isOpen onOpenChange={setHelpOpen} />}
      </Suspense>
      <Toasts />
    </TimeZone>
  );
}

function SandboxBar() {
  const words = useWords(shellWords);
  return (
    <p
      role="region"
      aria-label={words.environment}
      className="sticky top-0 z-20 flex h-7 items-center justify-center overflow-hidden bg-sandbox px-3 text-sm font-medium text-on-sandbox"
    >
      <span className="truncate">{words.sandboxBar}</span>
    </p>
  );
}

function useShortcuts({
  openPalette,
  openHelp,
}: {
  openPalette: () => void;
  openHelp: () => void;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const bindings = useMemo<Bindings>(() => {
    const go = (path: string) => () =>
      void navigate({ href: `/${environment}${path === "/" ? "" : path}` });
    const screens = navigation
      .flatMap((section) => section.entries)
      .filter((entry) => entry.key)
      .map((entry): [string, () => void] => [`g ${entry.key}`, go(entry.path)]);
    return {
      ...Object.fromEntries(screens),
      "ctrl+k": openPalette,
      "?": openHelp,
      c: go("/shipments/new"),
      "/": () => document.querySelector<HTMLInputElement>("main [data-search]")?.focus(),
    };
    // The two functions only set a state.
  }, [environment, navigate]);
  useKeys(bindings);
}

/** What is scanned outside of a field is opened. A screen that takes scans itself stops the event. */
function useScanner() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const client = useQueryClient();
  const words = useWords(shellWords);
  useEffect(() => {
    const reader = scanReader();
    const open = async (text: string) => {
      const path = await lookUp(client, environment, text).catch(() => null);
      if (path === null) toast(words.notFound(text), "danger");
      else await navigate({ href: `/${environment}${path}` });
    };
    const onKey = (event: KeyboardEvent) => {
      const text = reader.key(event.key, event.timeStamp);
      if (text === null || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      void open(text);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [client, environment, navigate, words]);
}

function useTimeZone(): string | undefined {
  return useQuery(accountQuery(useEnvironment())).data?.time_zone;
}
