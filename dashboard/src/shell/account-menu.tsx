import { useState } from "react";
import { Button } from "react-aria-components/Button";
import { Icon } from "../kit/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "../kit/menu.tsx";
import { useSession, useSignOut } from "../session.ts";
import { applyTheme, readTheme, type Theme } from "../theme.ts";
import { useLocale, useWords } from "../words/locale.tsx";
import { hasSingleKeys, setSingleKeys } from "../kit/keys.ts";
import { shellWords } from "./words.ts";

const themes: Theme[] = ["system", "light", "dark"];
const icons = { system: "gear", light: "sun", dark: "moon" } as const;

/** The person: theme, language, keys, and the way out. */
export function AccountMenu() {
  const words = useWords(shellWords);
  const { user } = useSession();
  const { locale, setLocale } = useLocale();
  const [theme, setTheme] = useState(readTheme);
  const [areKeysOn, setKeysOn] = useState(hasSingleKeys);
  const signOut = useSignOut();
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <Menu
      label={words.account}
      placement="top start"
      trigger={
        <Button className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover">
          <span
            className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-wash text-sm font-semibold text-accent"
            aria-hidden="true"
          >
            {(user.name ?? user.email).slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 grow">
            <span className="block truncate leading-tight font-medium">
              {user.name ?? user.email}
            </span>
            <span className="block truncate text-sm text-faint">{user.email}</span>
          </span>
          <Icon name="more" className="size-4 text-faint" />
        </Button>
      }
    >
      <MenuItem
        icon={icons[theme]}
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
    </Menu>
  );
}
