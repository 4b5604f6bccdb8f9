import answers from "../../data/answers.json" with { type: "json" };

/**
 * What each operation answers, by its operationId: real answers, recorded by the test that asks for all
 * of them (`server/test/acceptance/examples.test.ts`), for the document to show.
 */
export const shownResponses: Readonly<Record<string, unknown>> = answers;
