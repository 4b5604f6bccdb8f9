/** Responses as a document shows them: short, and without secrets or data of one installation. */

const longestText = 300;
const longestList = 2;

export function shown(answer: unknown, url: string): unknown {
  if (Array.isArray(answer)) return answer.slice(0, longestList).map((each) => shown(each, url));
  if (typeof answer === "object" && answer !== null)
    return Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, shown(value, url)]),
    );
  if (typeof answer !== "string") return answer;
  return answer
    .replaceAll(url, "https://waybill.example")
    .replace(/(wb_(?:test|live)_\w{4})\w{20,}/, (_token, start: string) => start.padEnd(50, "X"))
    .slice(0, longestText);
}

/**
 * The shape of a response: the names of its outermost fields, which are the same in every case. Inner
 * fields may be null or empty in one case and not in another; the schemas cover them.
 */
export function shapeOf(answer: unknown): unknown {
  if (Array.isArray(answer)) return "a list";
  if (typeof answer !== "object" || answer === null) return "a value";
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      name === "data" || name === "meta" ? shapeOf(value) : "a field",
    ]),
  );
}
