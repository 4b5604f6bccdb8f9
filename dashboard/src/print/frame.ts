/**
 * Opens the browser's own print dialog for a file of ours, in a hidden frame. Where a browser does not print
 * from a frame, the file opens in a tab; one for a thermal printer is saved. A link to a file lives for half an hour: read the label again first.
 */
export async function printFile(url: string): Promise<void> {
  const address = ownAddress(url);
  const { origin, pathname } = new URL(address, window.location.href);
  if (origin !== window.location.origin) return openTab(address);
  // No browser shows what is for a thermal printer: a frame with it would never be loaded.
  if (pathname.endsWith(".zpl")) return save(address);
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = "print";
  frame.dataset["print"] = address;
  frame.src = address;
  const isLoaded = new Promise((resolve) =>
    frame.addEventListener("load", resolve, { once: true }),
  );
  document.querySelector("iframe[data-print]")?.remove();
  document.body.append(frame);
  await isLoaded;
  try {
    frame.contentWindow?.print();
  } catch {
    openTab(address);
  }
}

/** A file that this server keeps, at the address at which the page is: the server may be known by several names. */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/files/") ? `${pathname}${search}` : url;
}

function save(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}

function openTab(address: string): void {
  window.open(address, "_blank", "noopener");
}
