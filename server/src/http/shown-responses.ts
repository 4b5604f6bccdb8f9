import answers from "../../data/answers.json" with { type: "json" };

/**
 * Example responses of each operation, by its operationId: real ones, recorded for the document by the
 * test that calls all of them (`server/test/acceptance/examples.test.ts`).
 */
export const shownResponses: Readonly<Record<string, unknown>> = answers;
