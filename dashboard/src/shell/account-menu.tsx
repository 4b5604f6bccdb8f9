import { lazy } from "react";
import { Icon } from "../kit/icon.tsx";
import { MenuButton } from "../kit/menu-button.tsx";
import { useSession } from "../session.ts";

const load = () => import("./account-items.tsx");
const Items = lazy(load);

/** The person, and behind it the theme, the language, the keys and the way out. */
export function AccountMenu() {
  const { user } = useSession();
  return (
    <MenuButton
      renderItems={(props) => <Items {...props} />}
      preload={load}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <span
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-wash text-sm font-semibold text-accent"
        aria-hidden="true"
      >
        {(user.name ?? user.email).slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 grow">
        <span className="block truncate leading-tight font-medium">{user.name ?? user.email}</span>
        <span className="block truncate text-sm text-faint">{user.email}</span>
      </span>
      <Icon name="more" className="size-4 text-faint" />
    </MenuButton>
  );
}
