/**
 * Opens the browser's own print dialog for a file of ours, in a hidden frame. Where a browser does not print
 * from a frame, the file opens in a tab. A link to a file lives for half an hour: read the label again first.
 */
export async function printFile(url: string): Promise<void> {
  const address = ownAddress(url);
  if (new URL(address, window.location.href).origin !== window.location.origin)
    return openTab(address);
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

function openTab(address: string): void {
  window.open(address, "_blank", "noopener");
}
