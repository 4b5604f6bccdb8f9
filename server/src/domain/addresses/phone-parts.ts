/** A phone number in the three parts that some carriers want. */
interface PhoneParts {
  country_code: string;
  area_code: string;
  /** The rest of it: seven digits in North America. */
  number: string;
  extension: string | null;
}

/**
 * The parts of a number; null for one that is not whole. Without a country's code it is of North America, and
 * needs ten digits. Abroad, where area codes differ in length, all but the last seven digits are the area's.
 */
export function splitPhone(phone: string): PhoneParts | null {
  const { main, extension } = withExtension(phone.trim());
  if (/[^\d\s()+.\-/]/.test(main)) return null;
  const digits = main.replaceAll(/\D/g, "");
  const isInternational = /^\s*(\+|00)/.test(main);
  const national = isInternational ? digits.replace(/^00/, "") : digits;
  if (!isInternational || national.startsWith("1")) {
    const form = isInternational ? /^1(\d{3})(\d{7})$/ : /^1?(\d{3})(\d{7})$/;
    const ten = form.exec(national);
    return ten && { country_code: "1", area_code: ten[1]!, number: ten[2]!, extension };
  }
  const code = countryCodes.find((each) => national.startsWith(each));
  const rest = code === undefined ? "" : national.slice(code.length);
  if (code === undefined || rest.length < 8 || rest.length > 12) return null;
  return { country_code: code, area_code: rest.slice(0, -7), number: rest.slice(-7), extension };
}

/** Apart from an extension at the end, such as `ext. 12`, `x12` or `#12`. */
function withExtension(phone: string): { main: string; extension: string | null } {
  const start = phone.search(/[a-z#]/i);
  if (start < 0) return { main: phone, extension: null };
  const [, extension = null] =
    /^(?:ext\.?|extension|x|#)\s?(\d{1,6})$/i.exec(phone.slice(start)) ?? [];
  return { main: extension === null ? phone : phone.slice(0, start).trimEnd(), extension };
}

/** The calling codes of one and two digits; every other has three (ITU-T E.164). */
const short =
  "7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98";
const shortCodes = new Set(short.split(" "));
const countryCodes = [
  ...shortCodes,
  ...Array.from({ length: 800 }, (_, index) => String(index + 200)).filter(
    (code) => !shortCodes.has(code.slice(0, 1)) && !shortCodes.has(code.slice(0, 2)),
  ),
];
