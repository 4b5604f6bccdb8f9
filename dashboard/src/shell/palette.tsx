import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Dialog } from "react-aria-components/Dialog";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { SearchField } from "react-aria-components/SearchField";
import { useEnvironment } from "../environment.ts";
import { Icon } from "../kit/icon.tsx";
import type { IconName } from "../kit/icon-paths.ts";
import { itemStyle } from "../kit/popover.tsx";
import { useWords } from "../words/locale.tsx";
import { lookUp } from "./lookup.ts";
import { navigation } from "./navigation.ts";
import { useMay } from "../session.ts";
import { toast } from "./toasts.tsx";
import { shellWords } from "./words.ts";

interface Line {
  id: string;
  label: string;
  icon: IconName;
  shortcut?: string;
}

/** `Ctrl K`: every screen by its name, and everything else by its number. */
export default function Palette({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const words = useWords(shellWords);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const client = useQueryClient();
  const may = useMay();
  const [text, setText] = useState("");
  const wanted = fold(text);
  const screens: Line[] = navigation
    .flatMap((section) => section.entries)
    .filter((entry) => may(entry.scopes, entry.roles))
    .map((entry) => ({
      id: entry.path,
      label: words.screens[entry.word],
      icon: entry.icon,
      ...(entry.key ? { shortcut: `g ${entry.key}` } : {}),
    }));
  const lines = screens.filter(({ label }) => fold(label).includes(wanted));
  if (text.trim())
    lines.push({ id: "look-up", label: words.openCode(text.trim()), icon: "search" });
  const close = () => {
    onOpenChange(false);
    setText("");
  };
  const choose = async (id: string) => {
    const path = id === "look-up" ? await lookUp(client, environment, text) : id;
    if (path === null) return toast(words.notFound(text.trim()), "danger");
    close();
    await navigate({ href: `/${environment}${path}` });
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      isDismissable
      className="appear fixed inset-0 z-40 flex items-start justify-center bg-scrim p-3 pt-[12vh]"
    >
      <Modal className="w-full max-w-xl rounded-xl border border-line bg-raised shadow-raised">
        <Dialog aria-label={words.palette} className="flex flex-col outline-none">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label={words.palette}
              autoFocus
              className="flex items-center gap-2.5 border-b border-line px-4"
            >
              <Icon name="search" className="size-4 text-faint" />
              <Input
                placeholder={words.paletteHint}
                className="h-12 w-full bg-transparent text-lg text-ink outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
              />
            </SearchField>
            <Menu
              aria-label={words.screensGroup}
              items={lines}
              onAction={(id) => void choose(String(id))}
              renderEmptyState={() => <p className="px-3 py-4 text-soft">{words.nothing}</p>}
              className="max-h-[70vh] overflow-auto p-1.5 outline-none"
            >
              {(line) => (
                <MenuItem id={line.id} textValue={line.label} className={itemStyle}>
                  <Icon name={line.icon} className="size-4 text-faint" />
                  <span className="grow">{line.label}</span>
                  {line.shortcut && <kbd className="text-xs text-faint">{line.shortcut}</kbd>}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Without accents and capitals, for comparing. */
function fold(text: string): string {
  return text.trim().normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
