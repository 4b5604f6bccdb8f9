/**
 * Puts a text onto the clipboard, and says whether it is there. `navigator.clipboard` is missing on a page that came
 * by http from another machine, and may refuse: then the text is selected for a moment and copied as a person would.
 * Near is where: in a dialog, what is outside of it cannot be selected.
 */
export async function copyText(text: string, near: Element): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  try {
    if (!clipboard) return copyBySelection(text, near);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

/** Selects what the element shows. */
export function select(element: Element): void {
  getSelection()?.selectAllChildren(element);
}

/** The keys that copy what is selected, as the machine's keyboard names them. */
export function copyKeys(): string {
  return /^(Mac|iP)/.test(navigator.platform) ? "⌘C" : "Ctrl+C";
}

function copyBySelection(text: string, near: Element): boolean {
  const shown = document.createElement("span");
  shown.textContent = text;
  Object.assign(shown.style, {
    position: "fixed",
    top: "0",
    opacity: "0",
    whiteSpace: "pre",
    userSelect: "text",
  });
  // Only the text itself, not how it looks.
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  const selection = getSelection();
  const before = selection?.rangeCount ? selection.getRangeAt(0) : null;
  near.append(shown);
  document.addEventListener("copy", give);
  try {
    select(shown);
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", give);
    shown.remove();
    selection?.removeAllRanges();
    if (before) selection?.addRange(before);
  }
}
