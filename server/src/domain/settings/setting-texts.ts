import { readNetworks } from "../reach/reach.ts";

/** The settings whose form no schema states: addresses, networks, origins, the sender and the secrets. */

type Name =
  | "database_url"
  | "trusted_proxies"
  | "webhook_allow"
  | "webhook_deny"
  | keyof typeof addresses
  | "cors_origins"
  | "mail_from"
  | "secret"
  | "secret_previous";
type Config = Readonly<Record<Name, string>>;
type Wrong = [Name, string];

/** Why the texts of the settings cannot be used: sentences that continue the name. None has the value of a secret. */
export function wrongTexts(config: Config): Wrong[] {
  return [
    ...wrongDatabase(config),
    ...wrongNetworks(config),
    ...wrongAddresses(config),
    ...wrongOrigins(config),
    ...wrongSender(config),
    ...shortSecrets(config),
  ];
}

function wrongDatabase({ database_url }: Config): Wrong[] {
  // The driver takes a user without a host, whose server is named by the parameter `host`.
  const url = URL.parse(database_url.replace("@/", "@localhost/"));
  if (database_url === "" || /^postgres(ql)?:$/.test(url?.protocol ?? "")) return [];
  return [
    [
      "database_url",
      "must be PostgreSQL's address, such as postgres://user:password@host:5432/name",
    ],
  ];
}

function wrongNetworks(config: Config): Wrong[] {
  return (["trusted_proxies", "webhook_allow", "webhook_deny"] as const).flatMap((name) => {
    try {
      readNetworks(config[name]);
      return [];
    } catch (error) {
      return [[name, (error as Error).message] satisfies Wrong];
    }
  });
}

const http = ["http:", "https:"];

/** The settings that are one URL, with an example. */
const addresses = {
  public_url: { protocols: http, example: "https://shipping.example.com" },
  simulator_url: { protocols: http, example: "http://127.0.0.1:8081" },
  s3_endpoint: { protocols: http, example: "https://s3.example.com" },
  stripe_url: { protocols: http, example: "https://api.stripe.com" },
  zonos_url: { protocols: http, example: "https://api.zonos.com/graphql" },
  egress_proxy: { protocols: http, example: "http://proxy.example.com:3128" },
  smtp_url: { protocols: ["smtp:", "smtps:"], example: "smtps://name:secret@mail.example.com" },
} as const;

/** Paths are appended to these, so they may have none of what would come after a path. */
const bases = ["public_url", "simulator_url"];

function wrongAddresses(config: Config): Wrong[] {
  return (Object.keys(addresses) as (keyof typeof addresses)[]).flatMap((name): Wrong[] => {
    if (config[name] === "") return [];
    const { protocols, example } = addresses[name];
    const url = URL.parse(config[name]);
    if (!url || !(protocols as readonly string[]).includes(url.protocol) || url.hostname === "")
      return [[name, `must be an address such as ${example}`]];
    const isBase = !/[?#]/.test(config[name]) && url.username + url.password === "";
    if (isBase || !bases.includes(name)) return [];
    return [[name, `must be an address such as ${example}, without a user, a query or a fragment`]];
  });
}

function wrongOrigins({ cors_origins }: Config): Wrong[] {
  return cors_origins
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !isOrigin(each))
    .map((each): Wrong => ["cors_origins", originSentence(each)]);
}

/** As a browser sends it: that of an application on a phone may have a scheme of its own. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url && http.includes(url.protocol)) return text === url.origin;
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(text);
}

function originSentence(text: string): string {
  const origin = URL.parse(text)?.origin ?? "null";
  const meant = origin === "null" ? "" : `; ${origin} would be one`;
  return `has ${text}, which is no origin such as https://shop.example.com${meant}`;
}

function wrongSender({ mail_from }: Config): Wrong[] {
  const [, bracketed] = /^[^<>]*<([^<>]*)>$/.exec(mail_from) ?? [];
  if (/^[^\s@<>,]+@[^\s@<>,]+$/.test(bracketed ?? mail_from)) return [];
  return [["mail_from", "must be an e-mail address such as Waybill <waybill@example.com>"]];
}

/** The other secrets, in the order in which they are given. */
export function listPreviousSecrets(setting: string): string[] {
  return setting.split(",").filter((secret) => secret !== "");
}

/** With fewer a secret could be found by trying. */
const secretLengthMin = 32;

function shortSecrets({ secret, secret_previous }: Config): Wrong[] {
  const given: Wrong[] = [
    ...(secret === "" ? [] : [["secret", secret] satisfies Wrong]),
    ...listPreviousSecrets(secret_previous).map((each): Wrong => ["secret_previous", each]),
  ];
  return given
    .filter(([, text]) => text.length < secretLengthMin)
    .map(([name, { length }]) => [
      name,
      `has ${length} ${length === 1 ? "character" : "characters"}; it needs ${secretLengthMin} or more`,
    ]);
}
