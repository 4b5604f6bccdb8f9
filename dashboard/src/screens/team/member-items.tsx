import { MenuItem, MenuPopover } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import { teamWords } from "./words.ts";

interface Props extends MenuItemsProps {
  name: string;
  onChoose: (what: "role" | "remove") => void;
}

/** What can be done about a member. */
export default function MemberItems({ name, onChoose, ...menu }: Props) {
  const words = useWords(teamWords);
  return (
    <MenuPopover {...menu} label={words.more(name)}>
      <MenuItem icon="key" onAction={() => onChoose("role")}>
        {words.changeRole}
      </MenuItem>
      <MenuItem icon="trash" isDanger onAction={() => onChoose("remove")}>
        {words.remove}
      </MenuItem>
    </MenuPopover>
  );
}
