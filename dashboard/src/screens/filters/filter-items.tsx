import { MenuItem, MenuPopover } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import { filterWords } from "./words.ts";

interface Props extends MenuItemsProps {
  name: string;
  onChoose: (what: "edit" | "delete") => void;
}

/** What can be done to a saved filter. */
export default function FilterItems({ name, onChoose, ...menu }: Props) {
  const words = useWords(filterWords);
  return (
    <MenuPopover {...menu} label={words.more(name)}>
      <MenuItem icon="pencil" onAction={() => onChoose("edit")}>
        {words.editAction}
      </MenuItem>
      <MenuItem icon="trash" isDanger onAction={() => onChoose("delete")}>
        {words.delete}
      </MenuItem>
    </MenuPopover>
  );
}
