import type { CarrierConnection } from "@waybill/sdk";
import { MenuItem, MenuPopover } from "../../kit/menu.tsx";
import type { MenuItemsProps } from "../../kit/menu-button.tsx";
import { useWords } from "../../words/locale.tsx";
import type { ConnectionCall } from "./use-connection-calls.ts";
import { carrierWords } from "./words.ts";

interface Props extends MenuItemsProps {
  connection: CarrierConnection;
  onCall: (what: ConnectionCall) => void;
  onChoose: (what: "edit" | "rotate" | "delete") => void;
}

/** What can be done to a connection. */
export default function ConnectionItems({ connection, onCall, onChoose, ...menu }: Props) {
  const words = useWords(carrierWords);
  const isOff = connection.status === "disabled";
  return (
    <MenuPopover {...menu} label={words.more(connection.name)}>
      <MenuItem icon="check" onAction={() => onCall("test")}>
        {words.test}
      </MenuItem>
      <MenuItem icon="pencil" onAction={() => onChoose("edit")}>
        {words.edit}
      </MenuItem>
      <MenuItem icon="key" onAction={() => onChoose("rotate")}>
        {words.rotate}
      </MenuItem>
      {!connection.is_default && (
        <MenuItem icon="flag" onAction={() => onCall("makeDefault")}>
          {words.makeDefault}
        </MenuItem>
      )}
      <MenuItem icon={isOff ? "bolt" : "ban"} onAction={() => onCall(isOff ? "enable" : "disable")}>
        {isOff ? words.enable : words.disable}
      </MenuItem>
      <MenuItem icon="trash" isDanger onAction={() => onChoose("delete")}>
        {words.delete}
      </MenuItem>
    </MenuPopover>
  );
}
