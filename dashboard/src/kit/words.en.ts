import { plural } from "../words/plural.ts";

const count = new Intl.NumberFormat("en-CA");

export default {
  retry: "Try again",
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  requestId: "Request ID",
  loading: "Loading",
  loadMore: "Load more",
  loadingMore: "Loading more",
  nothingFound: "Nothing found",
  clear: "Clear",
  increase: "Increase",
  decrease: "Decrease",
  selectAll: "Select all rows",
  selectRow: (name: string) => `Select ${name}`,
  selected: (n: number) => `${count.format(n)} selected`,
  rows: (n: number) => `${count.format(n)} ${plural("en", n, { one: "row", other: "rows" })}`,
  clearSelection: "Clear selection",
  offline: "The server cannot be reached. Check the connection; what you typed stays here.",
  forbidden: (roles: string) => `Your role does not include this. ${roles}`,
  unavailable: "The service is not available for a moment. It is tried again by itself.",
  failed: "This could not be loaded",
  notSaved: "Not saved",
  fixFields: "Some of what was entered needs another look:",
  earlierAttempt:
    "An earlier attempt of this form reached the server with other content. Look at the list before you send it again.",
  optional: "optional",
};
