/** Sees the text of every statement as it is sent: null but in tests, which hold it against rules. */
export const inspection: { see: ((text: string) => void) | null } = { see: null };
