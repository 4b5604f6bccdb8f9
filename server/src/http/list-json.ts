import { chosenFields, listText, type Fields } from "./list-fields.ts";
import { pageOfList, type ListRequest, type ListSource, type Page } from "./paging.ts";

/** Of a list that makes the JSON of its rows by itself; `fields` is null where all are wanted. */
interface JsonSource<Row extends { id: string }> {
  rows: (page: Page, fields: Fields | null) => Promise<Row[]>;
  count: ListSource<Row, string>["count"];
  show: (row: Row, fields: Fields | null) => string;
}

/** The answer of a list route as JSON, where `show` returns a row's JSON: to be sent by `sendJson`. */
export async function listJson<Row extends { id: string }>(
  request: ListRequest,
  { rows, count, show }: JsonSource<Row>,
): Promise<string> {
  const fields = chosenFields(request);
  const list = await pageOfList(request, {
    rows: (page) => rows(page, fields),
    count,
    show: (row) => show(row, fields),
  });
  return listText(list);
}
