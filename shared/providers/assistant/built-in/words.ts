import { foldForSearch } from '#shared/folding.ts';

/** Words of a text, made comparable. */

/** As for search, and without the marks that search keeps. */
export function fold(text: string): string {
  return foldForSearch(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
}

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}{1,3}(?!\p{L}))?/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Without the ending of a plural, a genitive, "-ing" or "-ed": enough to find "discounts" by "discount". */
function stem(word: string): string {
  const bare = word.replace(/['’].*$/u, '');
  if (bare.length < 4 || /\d/.test(bare)) return bare;
  const single = bare
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^sui])s$/, '$1');
  return single
    .replace(/^(.{3,})(?:ing|ed)$/, '$1')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(.{2})e$/, '$1');
}

/** Two neighbours at a time where spaces separate nothing. */
function pairs(run: string): string[] {
  const letters = [...run];
  return letters.length < 3 ? [run] : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

/** In the order of the text, with repeats. */
export function stems(text: string): string[] {
  return (fold(text).match(WORD) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairs(word) : [stem(word)]));
}

const COMMON = new Set(
  stems(
    `a an the this that these those here there it its he she him her his hers they them their theirs i me my mine we us
    our ours you your yours who whom whose what which when where why how is are was were be been being am do does did
    done have has had having will would shall should can could may might must not no nor yes and or but if then than so
    as at by for from in into of off on onto out over to up with without about after again all also any both each few
    more most other some such only own same too very just now ever never once still yet already please thanks thank
    hello hi dear regards best kind tell show give list find search know say said says write wrote written mention
    mentioned talk talked get got getting one two new last first next mail mails email emails message messages thread
    threads conversation conversations contact contacts anything something everything thing things anyone someone let
    make made many much like want need ask asked re fwd`,
  ),
);

/** The stems that say what a text is about, each once. */
export function contentStems(text: string): Set<string> {
  return new Set(stems(text).filter((each) => !COMMON.has(each) && (each.length > 1 || UNSPACED.test(each))));
}

/** How many of the words a text has. */
export function shared(words: ReadonlySet<string>, text: ReadonlySet<string>): number {
  return [...words].filter((word) => text.has(word)).length;
}

export function without(words: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...words].filter((word) => !others.has(word)));
}

/** One line, at most `max` UTF-16 units, never half a character. */
export function cut(text: string, max: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= max) return line;
  const start = line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '');
  const space = start.lastIndexOf(' ');
  return `${(space > max / 2 ? start.slice(0, space) : start).replace(/[\s,;:.–-]{1,5}$/u, '')}…`;
}

/** "one", "one and two", "one, two and three" */
export function listed(items: readonly string[], joint = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${joint} ${items.at(-1)}`;
}

/** "1 thread", "2 threads" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
