import { MenuItem, MenuPopover } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import { settingWords } from "./words.ts";

interface Props extends MenuItemsProps {
  name: string;
  onChoose: (what: "edit" | "remove") => void;
  /** Makes an address the default sender. */
  onSender?: () => void;
}

/** What can be done to an address or a package of the book. */
export default function EntryItems({ name, onChoose, onSender, ...menu }: Props) {
  const words = useWords(settingWords);
  return (
    <MenuPopover {...menu} label={words.more(name)}>
      <MenuItem icon="pencil" onAction={() => onChoose("edit")}>
        {words.edit}
      </MenuItem>
      {onSender && (
        <MenuItem icon="home" onAction={onSender}>
          {words.makeSender}
        </MenuItem>
      )}
      <MenuItem icon="trash" isDanger onAction={() => onChoose("remove")}>
        {words.remove}
      </MenuItem>
    </MenuPopover>
  );
}
