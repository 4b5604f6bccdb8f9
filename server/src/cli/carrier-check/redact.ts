/**
 * What a recording of a carrier's calls may show: everything but secrets, the tokens that were got with them, and the
 * numbers of the account.
 */
export interface Redactor {
  /** Hides this from now on, as `[name]`. */
  learn(name: string, secret: string): void;
  /** The tokens that an answer gives are secrets from now on. */
  learnFrom(text: string): void;
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
}

/** Headers that say who calls: their values are never shown. */
const saysWho = /authorization|cookie|token|secret|password|api-?key|username/i;
/** Fields of an answer that hold what was got for the secrets. */
const issued = /"([\w-]*(?:token|secret|password)[\w-]*)"\s*:\s*"((?:[^"\\]|\\.)+)"/gi;

export function redactor(connection: {
  values: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}): Redactor {
  /** The longest first: one secret may be part of another. */
  let known: { name: string; form: string }[] = [];

  function learn(name: string, secret: string): void {
    const forms = formsOf(secret).map((form) => ({ name, form }));
    known = [...known, ...forms].sort((a, b) => b.form.length - a.form.length);
  }

  for (const [name, secret] of Object.entries(connection.secrets)) learn(name, secret);
  for (const [name, value] of Object.entries(connection.values))
    if (isOfAccount(value)) learn(name, value);

  const text = (raw: string): string =>
    known.reduce((shown, { name, form }) => shown.replaceAll(form, `[${name}]`), raw);

  return {
    learn,
    learnFrom(answer) {
      for (const [, name = "", secret = ""] of answer.matchAll(issued))
        if (!isWord(secret)) learn(name, secret);
    },
    text,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          saysWho.test(name) ? "[redacted]" : text(value),
        ]),
      ),
  };
}

/** A number, an address of e-mail: not a choice such as `yes` or a country. */
function isOfAccount(value: string): boolean {
  return value.includes("@") || (value.length >= 5 && /\d/.test(value));
}

/** A plain word such as `Bearer` is no secret. */
function isWord(text: string): boolean {
  return /^[A-Za-z]{1,12}$/.test(text);
}

/** As a secret may stand in a URL, a form, JSON, XML, or a header. */
function formsOf(secret: string): string[] {
  if (secret === "") return [];
  const escaped = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    escaped,
    escaped.replaceAll("&quot;", '"').replaceAll("&apos;", "'"),
    Buffer.from(secret).toString("base64"),
  ];
  return [...new Set(forms)];
}
