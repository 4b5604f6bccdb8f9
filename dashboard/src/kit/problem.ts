/** What is known of a call that failed, in the form in which the kit shows it. */
export interface Problem {
  /** 0 where no answer came. */
  status: number;
  code: string;
  message: string;
  details: Record<string, unknown>;
  request_id: string | null;
}

/** Reads an error of the client, or anything else that was thrown. */
export function problemOf(error: unknown): Problem {
  if (typeof error === "object" && error !== null && "status" in error && "code" in error) {
    const { status, code, message, details, requestId } = error as Record<string, unknown>;
    return {
      status: Number(status ?? 0),
      code: String(code),
      message: String(message),
      details: (details ?? {}) as Record<string, unknown>,
      request_id: typeof requestId === "string" ? requestId : null,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { status: 0, code: "failed", message, details: {}, request_id: null };
}

/** The sentences of each failing field of a 422, by the field's path; empty for other errors. */
export function fieldsOf({ code, details }: Problem): Record<string, string[]> {
  if (code !== "validation_failed") return {};
  const entries = Object.entries(details).filter((entry): entry is [string, string[]] =>
    Array.isArray(entry[1]),
  );
  return Object.fromEntries(entries);
}
