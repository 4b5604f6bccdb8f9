import { splitPhone } from "../../domain/addresses/phone-parts.ts";

/** Phone numbers that carriers require and that clients may leave out. */

/** In place of a number that is not known: ten digits, which forms of carriers take. Other shipping platforms send it, too. */
export const placeholderPhone = "+1 000-000-0000";

/** The first of these that is whole, the one of the party itself first; the placeholder where none is. */
export function firstWholePhone(...phones: (string | null)[]): string {
  return phones.find((phone) => phone !== null && splitPhone(phone) !== null) ?? placeholderPhone;
}
