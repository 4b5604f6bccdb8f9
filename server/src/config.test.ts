import { expect, test } from "vitest";
import { readConfig, unknownSettings } from "./config.ts";

test("a setting is read by its former name, and by its present one where both are set", () => {
  const former = { WAYBILL_IDEMPOTENCY_TWIN_WAIT_MS: "700", WAYBILL_TRACKING_SILENT_DAYS_MAX: "5" };
  expect(readConfig(former)).toMatchObject({
    idempotency_in_flight_wait_ms: 700,
    tracking_quiet_days_max: 5,
  });
  const both = { ...former, WAYBILL_IDEMPOTENCY_IN_FLIGHT_WAIT_MS: "900" };
  expect(readConfig(both).idempotency_in_flight_wait_ms).toBe(900);
});

test("what is wrong with a setting is said under its present name", () => {
  expect(() => readConfig({ WAYBILL_TRACKING_LOOKS_PER_SECOND: "0" })).toThrow(
    "WAYBILL_TRACKING_POLLS_PER_SECOND must be >= 1",
  );
});

test("all wrong settings are named at once, each with what is meant", () => {
  const wrong = {
    DATABASE_URL: "mysql://db.example/waybill",
    PORT: "x",
    WAYBILL_DEMO: "maybe",
    WAYBILL_WEBHOOK_SCHEDULE: "now",
    WAYBILL_WEBHOOK_ALLOW: "foo",
    WAYBILL_WEBHOOK_DENY: "10.0.0.0/99",
    WAYBILL_TRUSTED_PROXIES: "bar",
    WAYBILL_SECRET: "short",
    WAYBILL_SECRET_PREVIOUS: "a,b",
    WAYBILL_PUBLIC_URL: "foo",
    WAYBILL_CORS_ORIGINS: "foo, https://shop.example.com/path",
    WAYBILL_SIMULATOR_URL: "zz",
    WAYBILL_MAIL_FROM: "xyz",
    WAYBILL_SMTP_URL: "mail.example.com",
    WAYBILL_S3_ENDPOINT: "s3",
    WAYBILL_PAYMENTS: "stripe",
  };
  expect(refusedLines(wrong)).toEqual([
    "PORT must be integer",
    "WAYBILL_DEMO must be one of local, on, off",
    "WAYBILL_WEBHOOK_SCHEDULE must be in a form such as 0,5,300",
    "WAYBILL_STRIPE_SECRET_KEY is required with WAYBILL_PAYMENTS=stripe",
    "DATABASE_URL must be PostgreSQL's address, such as postgres://user:password@host:5432/name",
    "WAYBILL_TRUSTED_PROXIES has bar, which is no CIDR such as 10.0.0.0/8",
    "WAYBILL_WEBHOOK_ALLOW has foo, which is no CIDR such as 10.0.0.0/8",
    "WAYBILL_WEBHOOK_DENY has 10.0.0.0/99, whose prefix is longer than its address",
    "WAYBILL_PUBLIC_URL must be an address such as https://shipping.example.com",
    "WAYBILL_SIMULATOR_URL must be an address such as http://127.0.0.1:8081",
    "WAYBILL_S3_ENDPOINT must be an address such as https://s3.example.com",
    "WAYBILL_SMTP_URL must be an address such as smtps://name:secret@mail.example.com",
    "WAYBILL_CORS_ORIGINS has foo, which is no origin such as https://shop.example.com",
    "WAYBILL_CORS_ORIGINS has https://shop.example.com/path, which is no origin such as https://shop.example.com; https://shop.example.com would be one",
    "WAYBILL_MAIL_FROM must be an e-mail address such as Waybill <waybill@example.com>",
    "WAYBILL_SECRET has 5 characters; it needs 32 or more",
    "WAYBILL_SECRET_PREVIOUS has 1 character; it needs 32 or more",
    "WAYBILL_SECRET_PREVIOUS has 1 character; it needs 32 or more",
  ]);
});

test.each([
  ["DATABASE_URL", "foo"],
  ["WAYBILL_PUBLIC_URL", "https://shipping.example.com/?a=b"],
  ["WAYBILL_PUBLIC_URL", "https://name:secret@shipping.example.com"],
  ["WAYBILL_MAIL_FROM", "Waybill <waybill>"],
])("%s=%s is refused", (name, value) => {
  expect(refusedLines({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be`)]);
});

test.each([
  ["DATABASE_URL", "postgres://waybill:pass@/waybill?host=/run/postgresql"],
  ["DATABASE_URL", "postgresql:///waybill?host=/run/postgresql"],
  ["DATABASE_URL", "postgres://waybill@%2Frun%2Fpostgresql/waybill"],
  ["WAYBILL_PUBLIC_URL", "https://example.com/shipping/"],
  ["WAYBILL_CORS_ORIGINS", "http://localhost:3000,capacitor://localhost"],
  ["WAYBILL_MAIL_FROM", "waybill@localhost"],
  ["WAYBILL_SMTP_URL", "smtp://127.0.0.1:2525"],
])("%s=%s is accepted", (name, value) => {
  expect(() => readConfig({ [name]: value })).not.toThrow();
});

test("an unknown setting is told with the known one that it is most like", () => {
  expect(
    unknownSettings({
      WAYBILL_REQUEST_PER_MINUTE: "1",
      WAYBILL_DATADIR: "/x",
      WAYBILL_ELEPHANTS: "2",
      // Of the tests, of `waybill listen`, and a former name.
      WAYBILL_TEST_SEED: "3",
      WAYBILL_TOKEN: "4",
      WAYBILL_TRACKING_SILENT_DAYS_MAX: "5",
      WAYBILL_DEMO: "on",
      PATH: "/bin",
    }),
  ).toEqual([
    { setting: "WAYBILL_REQUEST_PER_MINUTE", nearest: "WAYBILL_REQUESTS_PER_MINUTE" },
    { setting: "WAYBILL_DATADIR", nearest: "WAYBILL_DATA_DIR" },
    { setting: "WAYBILL_ELEPHANTS", nearest: null },
  ]);
});

/** The sentences of the refusal, without their indentation. */
function refusedLines(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split("\n");
    return lines.map((line) => line.trim());
  }
}
