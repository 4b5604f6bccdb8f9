/**
 * Called with the text of every statement that is sent: null except in tests, which check it against rules.
 */
export const inspection: { see: ((text: string) => void) | null } = { see: null };
