import { lazy } from "react";
import { buttonStyle } from "../../kit/button-style.ts";
import { Icon } from "../../kit/icon.tsx";
import { MenuButton } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import { settingWords } from "./words.ts";

const load = () => import("./entry-items.tsx");
const EntryItems = lazy(load);

interface Props {
  name: string;
  onChoose: (what: "edit" | "remove") => void;
  onSender?: () => void;
}

/** The menu at an address or a package. */
export function EntryMenu(props: Props) {
  const words = useWords(settingWords);
  return (
    <MenuButton
      aria-label={words.more(props.name)}
      className={buttonStyle({ variant: "quiet", size: "icon" })}
      preload={load}
      renderItems={(menu) => <EntryItems {...menu} {...props} />}
    >
      <Icon name="more" />
    </MenuButton>
  );
}
