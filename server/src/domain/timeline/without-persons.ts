/** Fields of an address that identify a person, or where the person lives. */
const personal = ["name", "company", "address1", "address2", "phone", "email"];

/** A shorter text would be found in words that are no name. */
const lengthMin = 3;

/** What of these addresses must not be read in a timeline. */
export function personsIn(addresses: readonly object[]): string[] {
  const values = addresses.flatMap((address) =>
    personal.map((field) => (address as Record<string, unknown>)[field]),
  );
  const texts = values.filter((value) => typeof value === "string").map((value) => value.trim());
  return [...new Set(texts.filter(({ length }) => length >= lengthMin))].sort(
    (a, b) => b.length - a.length,
  );
}

/** A text of a carrier, which may repeat the address that it was sent, without what says who lives there. */
export function withoutPersons(text: string, persons: readonly string[]): string {
  return persons.reduce((rest, person) => replaceAll(rest, person), text);
}

function replaceAll(text: string, person: string): string {
  const [lower, wanted] = [text.toLowerCase(), person.toLowerCase()];
  // Of some letters the lower case has another length: then places in it are none in the text.
  if (lower.length !== text.length) return text.replaceAll(person, "…");
  let rest = "";
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    rest += `${text.slice(from, at)}…`;
    from = at + wanted.length;
  }
  return rest + text.slice(from);
}
