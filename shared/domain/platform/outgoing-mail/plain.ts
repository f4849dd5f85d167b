/**
 * Text for mail, which may hold what users typed: names of people and accounts, subjects. One line, without characters
 * that are invisible or change the direction of what follows, and without addresses that mail programs make into links.
 */

/** Controls, format characters, line and paragraph separators; a joiner within an emoji or a script stays. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/gu;
/** `evil.example` and `https:` become links in most programs, also in a name. */
const LINKED = /(?<=[^\s.:@])([.:@])(?=\S)/gu;
const WORD_JOINER = '\u2060';

/** At most so many characters. */
export function plain(text: string, max: number): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  const cut = characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
  return cut.replace(LINKED, `$1${WORD_JOINER}`);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => ENTITIES[each] as string);
