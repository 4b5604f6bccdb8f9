import type { PlantedBug } from "./planted-bug.ts";

const connections = ["server/test/e2e/carrier-connections.test.ts"];
const exchanges = ["server/test/e2e/exchange-rates.test.ts"];

/** Contracts with carriers, and amounts of two currencies. */
export const bugsOfConnections: readonly PlantedBug[] = [
  {
    name: "void on no connection what was bought on one",
    file: "server/src/shipping/shipments/void-operation.ts",
    find: "    connection_id: claimed.connection_id,\n",
    replace: "",
    tests: connections,
    red: "is used from the quote to the refund, also once another is the default",
  },
  {
    name: "let a connection be deleted while a purchase on it begins",
    file: "server/src/outbound/attempt-store.ts",
    find: "      FOR KEY SHARE) AS locked",
    replace: "      ) AS locked",
    tests: connections,
    red: "that is being deleted sells nothing",
  },
  {
    name: "delete a connection while the file of a label that was sold on it is late",
    file: "server/src/resources/carrier-connections/change-connection.ts",
    find: "if (Object.values(open).some((count) => count > 0))",
    replace: "if (open.open_attempts + open.pending_refunds + open.open_pickups > 0)",
    tests: connections,
    red: "cannot be deleted while the file of a label that was sold on it is late",
  },
  {
    name: "leave no connection the default where it is deleted",
    file: "server/src/resources/carrier-connections/change-connection.ts",
    find: "row.is_default ? await store.chooseDefault(tx, row) : null",
    replace: "null as string | null",
    tests: connections,
    red: "of an account that loses its default is billed by the next one, and not by the platform",
  },
  {
    name: "open the secrets of a connection in the row of another carrier",
    file: "server/src/shipping/connections/sealed-secrets.ts",
    find: 'sealingPurpose("carrier_connections", account_id, id, carrier, environment)',
    replace:
      'sealingPurpose("carrier_connections", account_id, id + carrier.slice(99), environment)',
    tests: connections,
    red: "is sealed anew by waybill rekey, and does not open in another row",
  },
  {
    name: "hold money for a purchase on a connection that fails",
    file: "server/src/purchasing/quotes/primary-quote.ts",
    find: 'if (found?.status !== "failing") return;',
    replace: "if (found !== undefined) return;",
    tests: connections,
    red: "is left out of quotes after three refusals in a row, and no purchase holds money",
  },
  {
    name: "owe the platform's carrier what it bills to a merchant",
    file: "server/src/purchasing/labels/buy-at-quote.ts",
    find: 'if (billed_by === "carrier") return { cost_rate: 0 };',
    replace: 'if (billed_by === "carrier") return { cost_rate: 1 };',
    tests: connections,
    red: "wins over the platform's, and the account pays the platform's fee alone",
  },
  {
    name: "use an account's own connection where the operator has not let it",
    file: "server/src/shipping/connections/connection-book.ts",
    find: "settings.own_carrier_accounts ? await of(account_id) : []",
    replace: "[...(settings.own_carrier_accounts ? await of(account_id) : await of(account_id))]",
    tests: connections,
    red: "is not used once the switch is off",
  },
  {
    name: "convert by a rate of a later day",
    file: "server/src/domain/values/exchange-table.ts",
    find: "rate.valid_from <= today && ",
    replace: "",
    tests: ["server/src/domain/values/exchange.test.ts"],
    red: "has the newest rate that is not of a later day",
  },
  {
    name: "book the operator's margin on an exchange rate as the carrier's cost",
    file: "server/src/domain/pricing/convert-rate.ts",
    find: "cost_rate: market.rate,",
    replace: "cost_rate: rate,",
    tests: exchanges,
    red: "costs more by the operator's margin, which is no cost in the books",
  },
  {
    name: "bring in the good rows of a bad file of rates",
    file: "server/src/resources/exchange-rates/read-file.ts",
    find: "  throwIfAny(problems);\n",
    replace: "",
    tests: exchanges,
    red: "with bad rows changes nothing, and each is named",
  },
  {
    name: "write a secret into the recording of a carrier's sandbox",
    file: "server/src/cli/carrier-check/redact.ts",
    find: "  for (const [name, secret] of Object.entries(connection.secrets)) learn(name, secret);\n",
    replace: "",
    tests: ["server/test/e2e/carrier-check.test.ts"],
    red: "is checked step by step, and its recording has headers and no secret",
  },
];
