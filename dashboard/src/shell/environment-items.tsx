import { useLocation, useNavigate } from "@tanstack/react-router";
import type { Environment } from "../environment.ts";
import { MenuItem, MenuPopover } from "../kit/menu.tsx";
import type { MenuItemsProps } from "../kit/menu-button.tsx";
import { useWords } from "../words/locale.tsx";
import { shellWords } from "./words.ts";

/** The two environments: the screen stays. */
export default function EnvironmentItems(props: MenuItemsProps) {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const change = (next: Environment) => {
    // The things of one environment are not in the other: of a thing's screen, its list stays.
    const [, , area = "", ...rest] = pathname.split("/");
    const kept = rest.filter((part) => !/^[a-z]{2,5}_/.test(part));
    void navigate({ href: `/${[next, area, ...kept].filter(Boolean).join("/")}` });
  };
  return (
    <MenuPopover {...props} label={words.environment} placement="bottom start">
      <MenuItem icon="bolt" onAction={() => change("live")}>
        {words.live}
      </MenuItem>
      <MenuItem icon="code" onAction={() => change("sandbox")}>
        {words.sandbox}
      </MenuItem>
    </MenuPopover>
  );
}
