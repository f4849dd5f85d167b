/**
 * A posting of a word has signatures of all words of its record: Bloom filters
 * (https://doi.org/10.1145/362686.362692) that tell which other words the record cannot have. So a query of several words
 * reads the list of one of them, and leaves out most of what does not match before it reads a record.
 */

/** Characters of the beginnings of words that a signature has. */
const LENGTHS = [1, 2, 3, 4, 5] as const;
/** Twelve bits and six hashes for each beginning: 0.4 % of the others are taken for one. */
const BITS = 12;
const HASHES = 6;
/** Bytes. Texts of very many words get more false positives instead of larger postings. */
const LONGEST = 128;

/** Whether a signature tells of the whole term, and not only of its beginning. */
export const isTold = (term: string): boolean => LENGTHS.some((length) => length === [...term].length);

const beginningsOf = (word: string): string[] => {
  const characters = [...word];
  return LENGTHS.filter((length) => length <= characters.length).map((length) =>
    characters.slice(0, length).join(''),
  );
};

/** FNV-1a of 32 bits, over UTF-16 code units. */
function fnv(text: string, basis = 0x811c9dc5): number {
  let hash = basis;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * Two hashes give all, by enhanced double hashing: https://doi.org/10.1007/978-3-540-30494-4_26. They begin with the rank of the
 * record: otherwise a word that is taken for two others would be in all records that have these.
 */
function bitsOf(beginning: string, rank: number, bits: number): number[] {
  const hash = fnv(beginning, rank);
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

function signatureOf(beginnings: Set<string>, seed: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(LONGEST, Math.ceil((beginnings.size * BITS) / 8)));
  for (const beginning of beginnings)
    for (const bit of bitsOf(beginning, seed, 8 * bytes.length))
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | maskOf(bit);
  return bytes;
}

/** Whether a word of the record may begin like this. */
function mayHave(signature: Uint8Array, rank: number, beginning: string): boolean {
  return bitsOf(beginning, rank, 8 * signature.length).every(
    (bit) => ((signature[bit >> 3] as number) & maskOf(bit)) !== 0,
  );
}

/**
 * What a posting of this rank says of the words of a title and of other words: a byte with the length of the first signature, and
 * both.
 */
export function signedBy(title: string[], text: string[], rank: string): Uint8Array {
  const seed = fnv(rank);
  const inTitle = new Set(title.flatMap(beginningsOf));
  const inText = new Set(text.flatMap(beginningsOf).filter((beginning) => !inTitle.has(beginning)));
  const [first, second] = [signatureOf(inTitle, seed), signatureOf(inText, seed)];
  return Uint8Array.from([first.length, ...first, ...second]);
}

/** Whether the record may have, for each of the terms, a word that begins with one of its spellings, in its title or in any text. */
export function mayHaveAll(
  terms: readonly (readonly string[])[],
  { title = false }: { title?: boolean } = {},
): (posting: { SK: string; signed?: Uint8Array | undefined }) => boolean {
  const longest = terms.map((spellings) => spellings.map((term) => beginningsOf(term).at(-1) ?? ''));
  return ({ SK, signed }) => {
    if (!signed) return true;
    const [length = 0] = signed;
    const [first, second] = [signed.subarray(1, length + 1), signed.subarray(length + 1)];
    const asked = (title ? [first] : [first, second]).filter((each) => each.length > 0);
    const rank = fnv(SK);
    const may = (beginning: string) => asked.some((each) => mayHave(each, rank, beginning));
    return longest.every((spellings) => spellings.some(may));
  };
}
