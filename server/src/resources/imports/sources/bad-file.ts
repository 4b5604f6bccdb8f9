import { ApiError, invalid } from "../../../domain/errors/errors.ts";

/** A source that is unusable as a whole: 422, and nothing of it is imported. */
export function badFile(sentence: string): ApiError {
  return invalid({ content: [sentence] });
}
