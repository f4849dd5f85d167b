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

/** Without Bcc: only the sender's copy has it. */
function textsOf({ subject, from, to, cc, body }: Read): (string | null)[] {
  const people: MailAddress[] = [...(from ? [from] : []), ...to, ...cc];
  return [
    subject,
    ...people.flatMap(({ name, email_address }) => [name, email_address]),
    body.new_plain_text,
    body.quoted_plain_text,
  ];
}

/** Folded, without duplicates, as many as fit. */
export function wordsOfMessage(message: Read): string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const text of textsOf(message)) {
    if (text === null) continue;
    for (const { word } of wordPlaces(foldForSearch(text))) {
      const kept = word.length <= KEPT ? word : [...word].slice(0, KEPT).join('');
      if (words.has(kept)) continue;
      bytes += Buffer.byteLength(kept) + 1;
      if (bytes > MOST) return [...words];
      words.add(kept);
    }
  }
  return [...words];
}
