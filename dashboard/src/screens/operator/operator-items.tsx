import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { authCall } from "../../auth.ts";
import { MenuItem, MenuPopover, MenuSeparator } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { forget } from "../../session.ts";
import { shellWords } from "../../shell/words.ts";
import { applyTheme, readTheme, type Theme } from "../../theme.ts";
import { useLocale, useWords } from "../../words/locale.tsx";

const themes: Theme[] = ["system", "light", "dark"];
const icons = { system: "gear", light: "sun", dark: "moon" } as const;

/** The operator's theme and language, and the way out. */
export default function OperatorItems(props: MenuItemsProps) {
  const words = useWords(shellWords);
  const client = useQueryClient();
  const { locale, setLocale } = useLocale();
  const [theme, setTheme] = useState(readTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  const signOut = async () => {
    await authCall("POST", "/operator/sign-out", { body: {} }).catch(() => undefined);
    forget(client);
    window.location.assign("/app/operator/sign-in");
  };
  return (
    <MenuPopover {...props} label={words.account}>
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
      <MenuSeparator />
      <MenuItem icon="signOut" onAction={() => void signOut()}>
        {words.signOut}
      </MenuItem>
    </MenuPopover>
  );
}
