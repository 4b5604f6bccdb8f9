/**
 * An error as the operator reads it: its message and those of its causes, without a stack trace. An error of the
 * operating system about a file is a sentence that begins with the file's path.
 */
export function explainError(error: unknown): string {
  const sentences: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    const sentence = sentenceOf(each);
    if (sentence !== "" && !sentences.some((known) => known.includes(sentence)))
      sentences.push(sentence);
  }
  if (sentences.length === 0) return String(error);
  const last = sentences.length - 1;
  return sentences
    .map((sentence, place) => (place < last ? sentence.replace(/\.$/, "") : sentence))
    .join(": ");
}

const fileErrors: Record<string, string> = {
  EACCES: "it may not be read or written",
  EISDIR: "it is a folder, not a file",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, not a folder",
  EPERM: "it may not be changed",
  EROFS: "its file system is read-only",
};

function sentenceOf(error: Error): string {
  // A name that has several addresses was tried at each of them; the message of the whole is empty.
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(explainError).join(", ");
  const { code = "", path, message } = error as NodeJS.ErrnoException;
  const reason = fileErrors[code];
  return path !== undefined && reason !== undefined ? `${path}: ${reason}` : message;
}
