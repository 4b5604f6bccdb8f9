import { createContext, use, useContext, useEffect, useState, type ReactNode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";

export type Locale = "en" | "fr";

interface LocaleState {
  locale: Locale;
  setLocale: (locale: Locale) => void;
}

const stored = "waybill.locale";
const LocaleContext = createContext<LocaleState>({ locale: "en", setLocale: () => undefined });

/** The language that was chosen here before, or else the browser's; English where it is neither of ours. */
export function firstLocale(): Locale {
  const chosen = localStorage.getItem(stored);
  if (chosen === "en" || chosen === "fr") return chosen;
  return navigator.languages.some((each) => each.toLowerCase().startsWith("fr")) &&
    !navigator.languages[0]?.toLowerCase().startsWith("en")
    ? "fr"
    : "en";
}

/** The language of everything below: words, numbers, dates, and what React Aria says to screen readers. */
export function LocaleProvider({ children }: { children: ReactNode }) {
  const [locale, setState] = useState(firstLocale);
  const setLocale = (next: Locale) => {
    localStorage.setItem(stored, next);
    setState(next);
  };
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <LocaleContext value={{ locale, setLocale }}>
      <I18nProvider locale={regionOf(locale)}>{children}</I18nProvider>
    </LocaleContext>
  );
}

/** The present language, and how to change it. */
export function useLocale(): LocaleState {
  return useContext(LocaleContext);
}

/** The tag for `Intl`: Canadian forms of dates and amounts. */
export function regionOf(locale: Locale): string {
  return locale === "fr" ? "fr-CA" : "en-CA";
}

export interface Dictionary<Words> {
  /** Begins to load, once; a router calls it beside loading the screen. */
  load: (locale: Locale) => Promise<Words>;
}

type Loaders<Words> = Record<Locale, () => Promise<{ default: Words }>>;

/** A promise that says by itself that it is kept, so that React does not wait a turn for what is there. */
interface CachedPromise<T> extends Promise<T> {
  status?: "fulfilled";
  value?: T;
}

/**
 * The words of one area, each language in a file of its own that is loaded when it is needed. The French file
 * is typed as `typeof` the English one, so a sentence that is missing there is a type error.
 */
export function dictionary<Words>(loaders: Loaders<Words>): Dictionary<Words> {
  const loading: Partial<Record<Locale, CachedPromise<Words>>> = {};
  const begin = (locale: Locale) => {
    const promise: CachedPromise<Words> = loaders[locale]().then((module) => module.default);
    promise.then(
      (value) => Object.assign(promise, { status: "fulfilled", value }),
      // The next screen that needs them tries again.
      () => delete loading[locale],
    );
    return promise;
  };
  return { load: (locale) => (loading[locale] ??= begin(locale)) };
}

/** The words of an area in the present language. Waits (by Suspense) if they are not loaded yet. */
export function useWords<Words>(words: Dictionary<Words>): Words {
  // React asks for `use` in every render of a component that has waited in one.
  return use(words.load(useLocale().locale));
}
