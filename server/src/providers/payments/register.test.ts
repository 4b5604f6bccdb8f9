import { expect, test } from "vitest";
import { PaymentError } from "./payments.ts";
import { createPayments } from "./register.ts";

const simulator_url = "http://127.0.0.1:9";
const stripe = { secret_key: "sk_test_local", url: "http://127.0.0.1:9" };

test("the sandbox pays at the simulated processor, whichever production uses", () => {
  for (const live of ["simulated", "stripe"] as const) {
    const payments = createPayments({ simulator_url, stripe, live });
    expect(payments.forAccount("test").party).toBe("payments");
    expect(payments.forAccount("live").party).toBe(live === "stripe" ? "stripe" : "payments");
  }
});

test("after a change of processor both can still be called for what they were sent", () => {
  const payments = createPayments({ simulator_url, stripe, live: "simulated" });
  expect(payments.named("stripe").party).toBe("stripe");
  expect(payments.named("payments").party).toBe("payments");
});

test("a processor without its key leaves its attempts unknown, never absent", () => {
  const payments = createPayments({ simulator_url, stripe: null, live: "simulated" });
  const failure: unknown = (() => {
    try {
      return payments.named("stripe");
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(PaymentError);
  expect(failure).toMatchObject({ kind: "unknown", party: "stripe", party_code: "not_configured" });
});
