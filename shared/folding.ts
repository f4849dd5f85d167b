/**
 * One folding for everything that is compared without case. Unique names fold least: "Lodz" and "Łódź" are two tags.
 * Search folds these names further, so each spelling of one name finds it.
 */

/**
 * Case folding in NFC: to upper case, which expands the sharp s and ligatures, after lower case, because a capital
 * sharp s is its own upper case. JavaScript writes a sigma at the end of a word as a final sigma, which is also a sigma
 * here, and keeps the dot of a lower-cased İ: i, I, İ and ı are one letter, because the language of a text is unknown.
 */
function foldCase(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC');
}

/**
 * Names that people read as the same fold to the same text: trimmed, NFC, without case (docs/specification/records.md,
 * "Names and folding").
 */
export function foldName(name: string): string {
  return foldCase(name.trim());
}

/**
 * Accents and optional points of scripts. Not the vowels of Indic scripts, which are marks too, and not the sign that
 * makes another kana (U+3099, U+309A).
 */
const MARKS =
  /(?![\u3099\u309A])(?=\p{M})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

/** Invisible characters, such as a soft hyphen, and the stroke that lengthens an Arabic word. */
const FILLERS = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Latin letters that people read as accented, and Unicode as letters of their own. */
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
  // NFKC and removing accents can leave upper-case letters, so case is folded again.
  return foldCase(foldCase(text).normalize('NFKD'))
    .normalize('NFKD')
    .replace(FILLERS, '')
    .replace(MARKS, '')
    .replace(OWN_LETTERS, (letter) => PLAIN[letter] as string)
    .normalize('NFC');
}
