import { expect, test } from "vitest";
import { personsIn, withoutPersons } from "./without-persons.ts";

const address = {
  name: "Morag Ferguson",
  company: "Ferguson",
  address1: "1675 Lower Water Street",
  address2: null,
  city: "Halifax",
  phone: "902-555-0117",
  email: "morag@example.com",
};

test("a carrier's words lose names, streets, phones and e-mails, in any case, and keep the rest", () => {
  const text =
    "No delivery to MORAG FERGUSON, 1675 lower water street, Halifax (902-555-0117, Morag@example.com).";
  expect(withoutPersons(text, personsIn([address]))).toBe("No delivery to …, …, Halifax (…, …).");
});

test("a longer name goes before a shorter one that is in it", () => {
  expect(personsIn([address])[0]).toBe("1675 Lower Water Street");
  expect(withoutPersons("Ferguson of Morag Ferguson", personsIn([address]))).toBe("… of …");
});

test("a text whose lower case is longer is cut in the right places", () => {
  const persons = personsIn([{ name: "İlkay Ö" }]);
  expect(withoutPersons("To İlkay Ö, refused", persons)).toBe("To …, refused");
});

test("what is too short to be a name stays", () => {
  expect(withoutPersons("Box A at A", personsIn([{ name: "A" }]))).toBe("Box A at A");
});
