import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressProblems, normaliseAddress } from "./address-rules.ts";
import type { NewAddress } from "./address.ts";

const ottawa: NewAddress = {
  name: "Jean Tremblay",
  address1: "111 Wellington St",
  city: "Ottawa",
  province_code: "ON",
  postal_code: "K1A 0B1",
  country_code: "CA",
};
const boston: NewAddress = {
  company: "Tea & Sons",
  address1: "1 City Hall Sq",
  city: "Boston",
  province_code: "MA",
  postal_code: "02108",
  country_code: "US",
};
const berlin: NewAddress = {
  name: "A. Muster",
  address1: "Platz der Republik 1",
  city: "Berlin",
  postal_code: "11011",
  country_code: "DE",
};

describe("normaliseAddress", () => {
  test("cleans texts, writes codes in the post's form, and makes blanks null", () => {
    const kept = normaliseAddress({
      ...ottawa,
      name: "  Jean   Tremblay ",
      company: "  ",
      address2: "",
      province_code: " on",
      postal_code: "k1a-0b1",
      country_code: "ca",
    });
    expect(kept).toEqual({
      name: "Jean Tremblay",
      company: null,
      address1: "111 Wellington St",
      address2: null,
      city: "Ottawa",
      province_code: "ON",
      postal_code: "K1A 0B1",
      country_code: "CA",
      phone: null,
      email: null,
      is_residential: true,
      tax_identifier: null,
    });
  });

  test("nine digits become ZIP+4, and an invalid code stays unchanged", () => {
    expect(normaliseAddress({ ...boston, postal_code: "021081234" }).postal_code).toBe(
      "02108-1234",
    );
    expect(normaliseAddress({ ...boston, postal_code: "oops" }).postal_code).toBe("OOPS");
  });

  const text = fc.string({ unit: "binary", maxLength: 12 });
  const maybe = fc.option(text, { nil: null });
  const anyAddress = fc.record({
    name: maybe,
    company: maybe,
    address1: text,
    address2: maybe,
    city: text,
    province_code: maybe,
    postal_code: fc.oneof(maybe, fc.stringMatching(/^ ?[a-zA-Z]\d[a-z][ -]?\d[a-z]\d$/)),
    country_code: fc.oneof(fc.constantFrom("CA", "us", "de", "GB"), text),
    phone: maybe,
    email: maybe,
    is_residential: fc.option(fc.boolean(), { nil: null }),
  });

  test("normalising a second time changes nothing", () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const once = normaliseAddress(address);
        expect(normaliseAddress(once)).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  test("a good address, however carelessly written, has no problem before or after normalising", () => {
    const careless = fc.constantFrom(ottawa, boston, berlin).chain((address) =>
      fc.record({
        ...Object.fromEntries(
          Object.entries(address).map(([key, value]) => [key, fc.constant(value)]),
        ),
        postal_code: fc.constantFrom(
          address.postal_code!.toLowerCase(),
          ` ${address.postal_code!.replace(" ", "-")} `,
        ),
        country_code: fc.constantFrom(address.country_code.toLowerCase(), address.country_code),
        name: fc
          .string({ unit: fc.constantFrom(..."aé 1-'"), minLength: 1 })
          .map((name) => `x${name}`),
      }),
    ) as fc.Arbitrary<NewAddress>;
    fc.assert(
      fc.property(careless, (address) => {
        expect(addressProblems(address)).toEqual({});
        expect(addressProblems(normaliseAddress(address))).toEqual({});
      }),
    );
  });
});

describe("addressProblems", () => {
  const problemsWith = (address: NewAddress, change: object) =>
    addressProblems({ ...address, ...change });

  test.each([ottawa, boston, berlin])("a good address has none: $city", (address) => {
    expect(addressProblems(address)).toEqual({});
  });

  test.each([
    [ottawa, { name: null }, "name", "name is required when there is no company."],
    [ottawa, { name: " \u200B" }, "name", "name is required when there is no company."],
    [ottawa, { address1: " " }, "address1", "address1 must not be blank."],
    [ottawa, { city: "\u00A0" }, "city", "city must not be blank."],
    [ottawa, { country_code: "  " }, "country_code", "country_code must not be blank."],
    [ottawa, { province_code: null }, "province_code", "province_code is required in Canada."],
    [ottawa, { province_code: "Ontario" }, "province_code", /"Ontario" is not .*; use ON\.$/],
    [
      ottawa,
      { province_code: "TX" },
      "province_code",
      /not the two-letter code of a province of Canada/,
    ],
    [boston, { province_code: "ON" }, "province_code", /a state of the United States\.$/],
    [
      ottawa,
      { province_code: "BC" },
      "postal_code",
      "postal_code K1A 0B1 is in ON or QC, not in BC.",
    ],
    [ottawa, { postal_code: "v6b1a1" }, "postal_code", "postal_code V6B 1A1 is in BC, not in ON."],
    [boston, { province_code: "NY" }, "postal_code", "postal_code 02108 is in MA, not in NY."],
    [
      boston,
      { postal_code: "00001" },
      "postal_code",
      "postal_code 00001 is in no state, so not in MA.",
    ],
    [ottawa, { postal_code: "" }, "postal_code", "postal_code is required in Canada."],
    [berlin, { postal_code: null }, "postal_code", "postal_code is required in Germany."],
    [
      ottawa,
      { postal_code: "K1A" },
      "postal_code",
      /^postal_code "K1A" is not a postal code of Canada/,
    ],
    [boston, { postal_code: "0210" }, "postal_code", /written 99999 or 99999-9999\.$/],
    [berlin, { postal_code: "1101" }, "postal_code", /is not a postal code of Germany/],
    [berlin, { country_code: "UK" }, "country_code", /The United Kingdom's is GB/],
    [berlin, { country_code: "QQ" }, "country_code", /"QQ" is not an ISO 3166-1/],
    [ottawa, { email: "jean" }, "email", 'email "jean" is not an email address.'],
    [ottawa, { email: "a@b" }, "email", /is not an email address/],
    [ottawa, { phone: "call me" }, "phone", 'phone "call me" is not a phone number.'],
    [ottawa, { phone: "555-12" }, "phone", /is not a phone number/],
    [ottawa, { phone: "123456789012345678" }, "phone", /is not a phone number/],
  ] as const)("%# with %j: %s", (address, change, path, sentence) => {
    const problems = problemsWith(address, change);
    expect(Object.keys(problems)).toEqual([path]);
    expect(problems[path]).toHaveLength(1);
    expect(problems[path]![0]).toMatch(sentence);
  });

  test.each(["name", "company", "address1", "address2", "city", "phone", "email", "postal_code"])(
    "text that PostgreSQL cannot store is refused in %s, and not repeated",
    (field) => {
      for (const broken of ["a\0b", "a\uD800b", "a\nb"]) {
        const sentence = "contains a line break, a control character or broken text.";
        expect(problemsWith({ ...ottawa, company: "x" }, { [field]: broken })).toEqual({
          [field]: [sentence],
        });
      }
    },
  );

  test.each([
    "555-555-5555",
    "(555) 555-5555",
    "+1 555 555 5555",
    "+1234567890",
    "555.555.5555 ext. 12",
    "1-800-555-0199 x3",
    "000-000-0000",
    "+971 52 954 4379",
    "0049 30 227 0",
  ])("%j may be a phone number", (phone) => {
    expect(problemsWith(ottawa, { phone })).toEqual({});
  });

  test("military mail and territories are states of the United States", () => {
    expect(problemsWith(boston, { province_code: "AE", postal_code: "09007" })).toEqual({});
    expect(problemsWith(boston, { province_code: "PR", postal_code: "00901" })).toEqual({});
  });

  test("a federal office in Gatineau has Ottawa's K1A", () => {
    expect(problemsWith(ottawa, { city: "Gatineau", province_code: "QC" })).toEqual({});
  });

  test("where there are no codes or fixed provinces, none is required", () => {
    const hongKong = { country_code: "HK", postal_code: null, province_code: "Kowloon" };
    expect(problemsWith(berlin, hongKong)).toEqual({});
  });

  test("a blank tax number is named by its path", () => {
    const tax_identifier = { tax_type: "VAT", number: " " };
    expect(problemsWith(berlin, { tax_identifier })).toEqual({
      "tax_identifier.number": ["must not be blank."],
    });
  });

  test("fields of a wrong type are left to the schema", () => {
    const wrong = Object.fromEntries(
      Object.keys({ ...ottawa, phone: 0, email: 0 }).map((key) => [key, 7]),
    );
    expect(addressProblems(wrong as unknown as NewAddress)).toEqual({});
    expect(addressProblems({ ...ottawa, tax_identifier: "VAT" } as unknown as NewAddress)).toEqual(
      {},
    );
  });
});
