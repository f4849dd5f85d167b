/**
 * A posting of a word has a signature of all words of its record: a Bloom filter
 * (https://doi.org/10.1145/362686.362692) that tells which other words the record cannot have. So a query of several words
 * reads the list of one of them, and leaves out most of what does not match before it reads a record.
 */

/** Characters of the beginnings of words that a signature has. */
const LENGTHS = [3, 5] as const;
/** Twelve bits and six hashes for each beginning: 0.4 % of the others are taken for one. */
const BITS = 12;
const HASHES = 6;
/** Bytes. Texts of very many words get more false positives instead of larger postings. */
const LONGEST = 128;

const beginningsOf = (word: string): string[] => {
  const characters = [...word];
  return LENGTHS.filter((length) => length <= characters.length).map((length) =>
    characters.slice(0, length).join(''),
  );
};

/** FNV-1a of 32 bits, over UTF-16 code units. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Two hashes give all, by enhanced double hashing: https://doi.org/10.1007/978-3-540-30494-4_26 */
function bitsOf(beginning: string, bits: number): number[] {
  const hash = fnv(beginning);
  let at = hash % bits;
  let step = (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 8) % bits;
  return Array.from({ length: HASHES }, (_, i) => {
    const bit = at;
    at = (at + step) % bits;
    step = (step + i + 1) % bits;
    return bit;
  });
}

const maskOf = (bit: number) => 1 << (bit & 7);

/** Undefined where no word is long enough to be told from others. */
export function signatureOf(words: Iterable<string>): Uint8Array | undefined {
  const beginnings = new Set([...words].flatMap(beginningsOf));
  if (beginnings.size === 0) return undefined;
  const bytes = new Uint8Array(Math.min(LONGEST, Math.ceil((beginnings.size * BITS) / 8)));
  for (const beginning of beginnings)
    for (const bit of bitsOf(beginning, 8 * bytes.length))
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | maskOf(bit);
  return bytes;
}

/** Whether a word of the record may begin with the term. */
function mayHave(signature: Uint8Array, term: string): boolean {
  const longest = beginningsOf(term).at(-1);
  if (longest === undefined) return true;
  return bitsOf(longest, 8 * signature.length).every(
    (bit) => ((signature[bit >> 3] as number) & maskOf(bit)) !== 0,
  );
}

/** Whether the record may have, for each of the terms, a word that begins with one of its spellings. */
export const mayHaveAll =
  (terms: readonly (readonly string[])[]) =>
  ({ signature }: { signature?: Uint8Array }): boolean =>
    signature === undefined || terms.every((spellings) => spellings.some((term) => mayHave(signature, term)));
