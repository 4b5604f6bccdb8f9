import { useState } from "react";
import { hasSingleKeys, setSingleKeys } from "../kit/keys.ts";
import { MenuItem, MenuPopover, MenuSeparator } from "../kit/menu.tsx";
import type { MenuItemsProps } from "../kit/menu-button.tsx";
import { useChangePreferences, type Preferences } from "../preferences.ts";
import { useSignOut } from "../session.ts";
import { applyTheme, readTheme, type Theme } from "../theme.ts";
import { useLocale, useWords } from "../words/locale.tsx";
import { shellWords } from "./words.ts";

const themes: Theme[] = ["system", "light", "dark"];
const icons = { system: "gear", light: "sun", dark: "moon" } as const;

/** Theme, language, keys, and the way out. */
export default function AccountItems(props: MenuItemsProps) {
  const words = useWords(shellWords);
  const { locale, setLocale } = useLocale();
  const [theme, setTheme] = useState(readTheme);
  const [areKeysOn, setKeysOn] = useState(hasSingleKeys);
  const signOut = useSignOut();
  const changePreferences = useChangePreferences();
  // The choice is applied in this browser already; a failed save is ignored, and the next change saves again.
  const keep = (look: Pick<Preferences, "theme" | "locale">) =>
    void changePreferences((before) => ({ ...before, ...look })).catch(() => undefined);
  const other = locale === "en" ? "fr" : "en";
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <MenuPopover {...props} label={words.account} placement="top start">
      <MenuItem
        icon={icons[theme]}
        onAction={() => {
          applyTheme(next);
          setTheme(next);
          keep({ theme: next });
        }}
      >
        {`${words.theme}: ${words.themes[theme]}`}
      </MenuItem>
      <MenuItem
        icon="globe"
        onAction={() => {
          setLocale(other);
          keep({ locale: other });
        }}
      >
        {locale === "en" ? "Français" : "English"}
      </MenuItem>
      <MenuItem
        icon={areKeysOn ? "check" : "ban"}
        onAction={() => {
          setSingleKeys(!areKeysOn);
          setKeysOn(!areKeysOn);
        }}
      >
        {words.singleKeys}
      </MenuItem>
      <MenuItem icon="book" href="/docs" target="_blank">
        {words.apiReference}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="signOut" onAction={() => void signOut()}>
        {words.signOut}
      </MenuItem>
    </MenuPopover>
  );
}
