import type { FastifyRequest } from "fastify";
import {
  addProblem,
  ApiError,
  invalid,
  throwIfAny,
  type Problems,
} from "../domain/errors/errors.ts";

/** Forms with files, `multipart/form-data`, on routes that accept them. */

/** Whether the body is a form, on a route that accepts one. */
export function isForm({ routeOptions, headers }: FastifyRequest): boolean {
  return (
    routeOptions.config.multipart === true &&
    /^multipart\/form-data *;/i.test(headers["content-type"] ?? "")
  );
}

/**
 * The fields of a form: texts, and files as their bytes. Throws 400 for a body that is no form, and 422 for one with more
 * parts than any has fields, or that names each field of the route that is given more than once: either choice would
 * surprise some clients (decision 1.5).
 */
export async function readForm(
  request: FastifyRequest,
  bytes: Buffer,
): Promise<Record<string, string | Uint8Array>> {
  const boundary = boundaryOf(request.headers["content-type"]!);
  refuseExcess(bytes, boundary);
  const parts = await partsOf(bytes, boundary);
  const { properties } = request.routeOptions.schema!.body as { properties: object };
  const problems: Problems = {};
  for (const field of Object.keys(properties))
    if (parts.filter(([name]) => name === field).length > 1)
      addProblem(problems, field, "must be given once.");
  throwIfAny(problems);
  return Object.fromEntries(parts);
}

/** The characters and the length that RFC 2046, section 5.1.1, allows. */
const boundaryParameter =
  /;[ \t]*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+./:=?-]{1,70}))[ \t]*(?:;|$)/i;

function boundaryOf(type: string): string {
  const [, quoted, plain] = boundaryParameter.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  return boundary;
}

const partsMax = 10;
const headBytesMax = 8192;

/** The parser reads a whole form in one slice, so what costs more than its bytes is limited before. */
function refuseExcess(bytes: Buffer, boundary: string): void {
  const delimiter = `--${boundary}`;
  let delimiters = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    // The last one ends the form.
    if (++delimiters > partsMax + 1) throw invalid({ "": [`has more than ${partsMax} parts.`] });
    const start = at + delimiter.length;
    const head = bytes.subarray(start, start + headBytesMax);
    if (head.length < headBytesMax || head.includes("\r\n\r\n") || isEnd(head)) continue;
    const message = `The headers of a part are longer than ${headBytesMax} bytes.`;
    throw new ApiError("bad_request", { message });
  }
}

function isEnd(head: Buffer): boolean {
  return head.toString("latin1", 0, 2) === "--";
}

async function partsOf(bytes: Buffer, boundary: string): Promise<[string, string | Uint8Array][]> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { "content-type": `multipart/form-data; boundary="${boundary}"` },
    }).formData();
    const parts = [...form].map(async ([name, value]): Promise<[string, string | Uint8Array]> => [
      name,
      typeof value === "string" ? value : await value.bytes(),
    ]);
    return await Promise.all(parts);
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause?: unknown): ApiError {
  const message = "The body is not valid multipart/form-data.";
  return new ApiError("bad_request", { message, cause });
}
