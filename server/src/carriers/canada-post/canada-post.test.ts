import { carrierContract } from "../contract.ts";
import { withConnection } from "../contract-world.ts";
import { canadaPostAdapter } from "./adapter.ts";
import { canadaPostDialect } from "./dialect/routes.ts";

const dialect = (url: string) => `${url}/dialects/canada_post`;

carrierContract(
  (url) =>
    withConnection(canadaPostAdapter({ live: dialect(url), test: dialect(url) }), {
      values: {
        customer_number: "2004381",
        contract_id: "42708517",
        contact_email: "shipping@example.com",
      },
      secrets: { username: "key", password: "secret" },
    }),
  [canadaPostDialect],
);
