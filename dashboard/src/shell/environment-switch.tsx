import { lazy } from "react";
import { useEnvironment } from "../environment.ts";
import { Icon } from "../kit/icon.tsx";
import { MenuButton } from "../kit/menu-button.tsx";
import { useSession } from "../session.ts";
import { useWords } from "../words/locale.tsx";
import { shellWords } from "./words.ts";

const load = () => import("./environment-items.tsx");
const Items = lazy(load);

/** Names the organization and the environment, and switches between the two. */
export function EnvironmentSwitch() {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  const { memberships } = useSession();
  const name = memberships[0]?.organization.name ?? "Waybill";
  return (
    <MenuButton
      renderItems={(props) => <Items {...props} />}
      preload={load}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
    >
      <img src="/app/icon.svg" alt="" className="size-8 rounded-lg" />
      <span className="min-w-0 grow">
        <span className="block truncate leading-tight font-semibold">{name}</span>
        <span className="flex items-center gap-1.5 text-sm text-soft">
          <span
            className={`size-2 rounded-full ${environment === "live" ? "bg-good" : "bg-sandbox"}`}
          />
          {environment === "live" ? words.live : words.sandbox}
        </span>
      </span>
      <Icon name="chevronUpDown" className="size-4 text-faint" />
    </MenuButton>
  );
}
