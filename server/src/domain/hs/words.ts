/**
 * Text as the classifier compares it: lower-case words without accents, in the singular, in one
 * spelling. Indexed text and queries both pass through this.
 */

/** Not plurals, or other goods than their singular: glasses are no glass, shorts are not short. */
const keptAsTheyAre = new Set(
  "canvas christmas xmas gas lens bus glasses sunglasses eyeglasses shorts flats heels pyjamas pajamas brass series abs gps gis atlas iris us less pants wireless plus is this as has was its alms bass press pus trunks braces slides boxers laces".split(
    " ",
  ),
);

/** One spelling for each word, American where the trade differs. */
const spellings = new Map(
  Object.entries({
    aluminium: "aluminum",
    jewellery: "jewelry",
    jewelery: "jewelry",
    grey: "gray",
    colour: "color",
    coloured: "colored",
    fibre: "fiber",
    tyre: "tire",
    mould: "mold",
    moulding: "molding",
    moulded: "molded",
    yoghurt: "yogurt",
    plough: "plow",
    woollen: "wool",
    woolen: "wool",
    pyjamas: "pajamas",
    pants: "pant",
    knives: "knife",
    shelves: "shelf",
    leaves: "leaf",
    loaves: "loaf",
    scarves: "scarf",
    women: "women",
    woman: "women",
    womens: "women",
    ladies: "women",
    lady: "women",
    men: "men",
    man: "men",
    mens: "men",
    kids: "kid",
    children: "child",
    childrens: "child",
    teeth: "tooth",
    feet: "foot",
    batteries: "battery",
    accessories: "accessory",
    vulcanised: "vulcanized",
    centre: "center",
    metre: "meter",
    litre: "liter",
    catalogue: "catalog",
    cheque: "check",
    grammes: "gram",
    mobiles: "mobile",
    doughnut: "donut",
    sulphate: "sulfate",
    sulphur: "sulfur",
    odour: "odor",
  }),
);

const longestWord = 40;
const isAscii = /^\p{ASCII}*$/u;

/**
 * Words without meaning for what goods are: fillers, also of other languages, and those of sellers and
 * schedules.
 */
const idleWords = new Set(
  "a an and as at by for from in into is of on or the this to with w de la el en et le les del des der die das und para con pour new hot sale free best set kit pack pc pcs piece lot gift item goods product stuff part spare accessory assorted other various kind sample test misc x one two".split(
    " ",
  ),
);

/** Whether a word tells what goods are: no filler, no number, no single letter. */
export function isTelling(word: string): boolean {
  return !idleWords.has(word) && /\p{L}{2}/u.test(word);
}

/** The words of a text in their order; hyphens, slashes and signs divide them. */
export function wordsOf(text: string): string[] {
  const plain = isAscii.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "");
  const single = plain.toLowerCase().replace(/['’](?=s\b)/g, "");
  return (single.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => oneForm(word.slice(0, longestWord)));
}

function oneForm(word: string): string {
  const known = spellings.get(word);
  if (known !== undefined) return known;
  const single = singular(word);
  return spellings.get(single) ?? single;
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || keptAsTheyAre.has(word)) return word;
  if (/(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}
