import { useEffect } from "react";

const stored = "waybill.single-keys";

/** Whether keys without Ctrl act; they can be switched off (WCAG 2.1.4). */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(stored) !== "off";
}

/** Switches keys without Ctrl on or off. */
export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(stored);
  else localStorage.setItem(stored, "off");
}

/** Whether what is typed goes into a field, or to a dialog or menu that is open. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      "input:not([type=radio], [type=checkbox]), textarea, select, [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox]",
    ) !== null
  );
}

export type Bindings = Record<string, (event: KeyboardEvent) => void>;

/** How long the second key of "g s" may take. */
const pause_ms = 1200;

/**
 * Acts on keys pressed outside of fields: "?", "/", "j", or two after each other as "g s". Combinations are
 * written "ctrl+k", where the Mac's command key counts as Ctrl, and act inside of fields, too.
 */
export function useKeys(bindings: Bindings): void {
  useEffect(() => {
    let first = "";
    let at = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey)
        return run(bindings[`ctrl+${event.key.toLowerCase()}`], event);
      if (event.altKey || isTyping(event.target) || !hasSingleKeys()) return;
      const pair = event.timeStamp - at < pause_ms && first ? `${first} ${event.key}` : "";
      first = event.key;
      at = event.timeStamp;
      run(bindings[pair] ?? bindings[event.key], event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [bindings]);
}

function run(action: Bindings[string] | undefined, event: KeyboardEvent): void {
  if (!action) return;
  event.preventDefault();
  action(event);
}
