import { useLocation, useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components/Button";
import { useEnvironment, type Environment } from "../environment.ts";
import { Icon } from "../kit/icon.tsx";
import { Menu, MenuItem } from "../kit/menu.tsx";
import { useSession } from "../session.ts";
import { useWords } from "../words/locale.tsx";
import { shellWords } from "./words.ts";

/** Names the organization and the environment, and switches between the two: the screen stays. */
export function EnvironmentSwitch() {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  const { memberships } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const change = (next: Environment) => {
    // The things of one environment are not in the other: of a thing's screen, its list stays.
    const [, , area = "", ...rest] = pathname.split("/");
    const kept = rest.filter((part) => !/^[a-z]{2,5}_/.test(part));
    void navigate({ href: `/${[next, area, ...kept].filter(Boolean).join("/")}` });
  };
  const name = memberships[0]?.organization.name ?? "Waybill";
  return (
    <Menu
      label={words.environment}
      placement="bottom start"
      trigger={
        <Button className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover">
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
        </Button>
      }
    >
      <MenuItem icon="bolt" onAction={() => change("live")}>
        {words.live}
      </MenuItem>
      <MenuItem icon="code" onAction={() => change("sandbox")}>
        {words.sandbox}
      </MenuItem>
    </Menu>
  );
}
