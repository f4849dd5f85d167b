import type { MailAddress, ParsedBody, ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { wordPlaces } from '#shared/domain/platform/postings/words.ts';
import { foldForSearch } from '#shared/folding.ts';

/** The words by which a message is found: those of its subject, its people and its whole text. */

/** Bytes of the words of a message, some 8,000 of them: a search reads those of messages that are not sorted yet. */
const MOST = 64_000;
/** Characters of a word that are kept, as in lists of words. */
const KEPT = 64;

type Read = Pick<ParsedMessage, 'subject' | 'from' | 'to' | 'cc'> & {
  body: Pick<ParsedBody, 'new_plain_text' | 'quoted_plain_text'>;
};

/** A word of a subject, by which it is found there alone. No word has this character. */
export const inSubject = (word: string) => `:${word}`;

/** Without Bcc: only the sender's copy has it. */
function textsOf({ from, to, cc, body }: Read): (string | null)[] {
  const people: MailAddress[] = [...(from ? [from] : []), ...to, ...cc];
  return [
    ...people.flatMap(({ name, email_address }) => [name, email_address]),
    body.new_plain_text,
    body.quoted_plain_text,
  ];
}

function* wordsIn(text: string): Generator<string> {
  for (const { word } of wordPlaces(foldForSearch(text)))
    yield word.length <= KEPT ? word : [...word].slice(0, KEPT).join('');
}

function* allWords(message: Read): Generator<string> {
  for (const word of wordsIn(message.subject ?? '')) {
    yield word;
    yield inSubject(word);
  }
  for (const text of textsOf(message)) yield* wordsIn(text ?? '');
}

/** Folded, without duplicates, as many as fit; those of the subject also as such. */
export function wordsOfMessage(message: Read): string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of allWords(message)) {
    if (words.has(word)) continue;
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > MOST) break;
    words.add(word);
  }
  return [...words];
}
