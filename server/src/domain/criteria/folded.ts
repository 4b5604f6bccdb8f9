/**
 * How texts are compared by criteria: without regard to case, and to whether an accent is a character
 * of its own. PostgreSQL's `lower` depends on the server's locale and its release, so the rule is a
 * table that both sides hold: the function `folded` of the migrations has the same letters, and a test
 * compares the two for every character that there is.
 */

// Capital letters that do not decompose into a plain one and an accent, and the small ones below them.
const capitals =
  "ÆÐØÞĐĦŁŊŒŦƁƆƊƎƏƐƓƔƖƗƘƝƟƩƱƲƳƵƷǤȜȢɄɅẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҘҚҜҠҢҤҪҮҰҲҶҸҺӀӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖς";
const smalls =
  "æðøþđħłŋœŧɓɔɗǝəɛɠɣɩɨƙɲɵʃʊʋƴƶʒǥȝȣʉʌßαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗҙқҝҡңҥҫүұҳҷҹһӏәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆσ";

const smallOf = new Map<string, string>();
for (const [place, capital] of [...capitals].entries()) smallOf.set(capital, [...smalls][place]!);
for (const capital of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") smallOf.set(capital, capital.toLowerCase());

const isPlain = /^[\0-\x7f]*$/;
const foldable = new RegExp(`[A-Z${capitals}]`, "gu");

/** The text as it is compared: "MONTRÉAL" and "Montre\u0301al" become "montréal". Folding twice changes nothing. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replace(foldable, (capital) => smallOf.get(capital)!)
    .normalize("NFC");
}
