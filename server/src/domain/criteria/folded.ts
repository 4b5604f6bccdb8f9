/**
 * How texts are compared by criteria and found by searches: without regard to case and accents, which users
 * seldom type into a search: "MONTRÉAL" and "Montre\u0301al" are "montreal". PostgreSQL's `lower` depends on
 * the server's locale and its release, and `unaccent` is an extension, so the rule is a table that both sides
 * have: the function `folded` of the migrations (0036) has the same letters, and a test compares the two for
 * every Unicode character.
 */

// Letters that do not decompose into a plain one and an accent, and what they fold to: capitals, letters
// with a stroke, and the i without a dot.
const given =
  "ÆÐØÞĐĦŁŊŒŦƁƆƊƎƏƐƓƔƖƗƘƝƟƩƱƲƳƵƷǤȜȢɄɅẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҘҚҜҠҢҤҪҮҰҲҶҸҺӀӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖςøđħłŧðı";
const counted =
  "ædoþdhlŋœtɓɔɗǝəɛɠɣɩɨƙɲɵʃʊʋƴƶʒǥȝȣʉʌßαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗҙқҝҡңҥҫүұҳҷҹһӏәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆσodhltdi";
/** Letters that fold to two. */
const ligatures = { æ: "ae", œ: "oe", ß: "ss" };

const letters = new Map<string, string>();
for (const [place, letter] of [...given].entries()) letters.set(letter, [...counted][place]!);
for (const capital of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") letters.set(capital, capital.toLowerCase());
for (const [ligature, two] of Object.entries(ligatures)) {
  letters.set(ligature, two);
  for (const [letter, small] of letters) if (small === ligature) letters.set(letter, two);
}

const isPlain = /^[\0-\x7f]*$/;
/** Letters that fold to another, and combining accents, which fold to nothing. */
const foldable = new RegExp(`[${[...letters.keys()].join("")}\u0300-\u036f]`, "gu");

/** The text in the form that is compared. Folding twice changes nothing. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replace(foldable, (letter) => letters.get(letter) ?? "")
    .normalize("NFC");
}
