import { MenuItem, MenuPopover } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import { tokenWords } from "./words.ts";

interface Props extends MenuItemsProps {
  name: string;
  onChoose: (what: "rotate" | "revoke") => void;
}

/** What can be done to a token. */
export default function TokenItems({ name, onChoose, ...menu }: Props) {
  const words = useWords(tokenWords);
  return (
    <MenuPopover {...menu} label={words.more(name)}>
      <MenuItem icon="refresh" onAction={() => onChoose("rotate")}>
        {words.rotate}
      </MenuItem>
      <MenuItem icon="trash" isDanger onAction={() => onChoose("revoke")}>
        {words.revoke}
      </MenuItem>
    </MenuPopover>
  );
}
