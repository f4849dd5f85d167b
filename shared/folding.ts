/**
 * One folding for all that is compared without case. Names that must be unique fold least: "Lodz" and "Łódź" are two
 * tags. What is searched folds these names further, so whatever is one name is found by either way of writing it.
 */

/**
 * Without case, in NFC. By way of the upper case, which writes a sharp s and ligatures in full, and that by way of the
 * lower case, as a capital sharp s is its own upper case. JavaScript ends a word with a final sigma, which is a sigma,
 * and keeps a dot over an i that was İ: i, I, İ and ı are one letter here, as nobody says whether a text is Turkish.
 */
function foldCase(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}

/**
 * Names that are the same for people fold to the same text: trimmed, NFC, without case
 * (docs/specification/records.md, "Names and folding").
 */
export function foldName(name: string): string {
  return foldCase(name.trim());
}

/**
 * Accents, and the points of scripts that are read without them. Not the vowels of Indic scripts, which are marks as
 * well, and not the sign that makes another kana (U+3099, U+309A).
 */
const MARKS =
  /(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

/** What shows nothing, as a soft hyphen, and the stroke that makes an Arabic word longer. */
const FILLERS = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Latin letters that are accented for people and letters of their own for Unicode. */
const PLAIN: Record<string, string> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ı: 'i',
};
const OWN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** For search: without case, accents, invisible characters and differences of width and form (NFKC). */
export function foldForSearch(text: string): string {
  // Compatible forms may be upper case, and letters with accents are upper case with accents: so case once more.
  return foldCase(foldCase(text).normalize('NFKD'))
    .normalize('NFKD')
    .replace(FILLERS, '')
    .replace(MARKS, '')
    .replace(OWN_LETTERS, (letter) => PLAIN[letter] as string)
    .normalize('NFC');
}
