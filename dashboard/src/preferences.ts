import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { authCall } from "./auth.ts";
import { applyTheme, readTheme, type Theme } from "./theme.ts";
import { useLocale, type Locale } from "./words/locale.tsx";

/** What a person has chosen and noted, kept by the server under `/api/auth/me/preferences`. */
export interface Preferences {
  theme?: Theme;
  locale?: Locale;
  /** Exceptions of tracking, by the tracker's id. */
  tracking?: Record<string, TrackingNote>;
}

export interface TrackingNote {
  note?: string;
  /** When it was marked as handled. */
  handled_at?: string;
}

/** The person's own preferences, the same on every machine. */
export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  staleTime: 60_000,
  queryFn: ({ signal }) => authCall<Preferences>("GET", "/me/preferences", { signal }),
});

/**
 * Changes preferences. The server replaces them as a whole, so they are read again before: what another
 * window or machine has changed meanwhile stays.
 */
export function useChangePreferences() {
  const client = useQueryClient();
  return async (change: (before: Preferences) => Preferences): Promise<void> => {
    const before = await authCall<Preferences>("GET", "/me/preferences");
    const after = change(before);
    await authCall("PUT", "/me/preferences", { body: after });
    client.setQueryData(preferencesQuery.queryKey, after);
  };
}

/** Shows the page as the person chose it, on whichever machine that was. */
export function useChosenLook(preferences: Preferences | undefined): void {
  const { locale, setLocale } = useLocale();
  const { theme, locale: wanted } = preferences ?? {};
  useEffect(() => {
    if (theme && theme !== readTheme()) applyTheme(theme);
  }, [theme]);
  useEffect(() => {
    if (wanted && wanted !== locale) setLocale(wanted);
    // Only when the preferences arrive: a choice in the menu changes both.
  }, [wanted]);
}
