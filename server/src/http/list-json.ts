import { listResponse, type ListRequest, type ListSource } from "./paging.ts";
import { ListLinks, ListMeta } from "./routes.ts";
import { serializerOf } from "./serialize.ts";

/** The answer of a list route as JSON, where `show` returns a row's JSON: to be sent by `sendJson`. */
export async function listJson<Row extends { id: string }>(
  request: ListRequest,
  source: ListSource<Row, string>,
): Promise<string> {
  const { data, meta, links } = await listResponse(request, source);
  const ends = `"meta":${serializerOf(ListMeta)(meta)},"links":${serializerOf(ListLinks)(links)}`;
  return `{"data":[${data.join(",")}],${ends}}`;
}
