import type { Email } from 'postal-mime';
import { decodeWords } from './encoded-words.ts';
import { headerValues } from './headers.ts';
import type { Category } from './message.ts';

/** What the owner's mail program noted on a message in an archive. */
interface Notes {
  category: Category | null;
  /** False when it says unread, or nothing. */
  read: boolean;
  starred: boolean;
}

/**
 * The tabs of Gmail's inbox. `social` holds the notices of networks, which tell that something happened elsewhere: of
 * the four classifications that is an update.
 */
const categories = new Map<string, Category>([
  ['category personal', 'personal'],
  ['category promotions', 'promotion'],
  ['category social', 'update'],
  ['category updates', 'update'],
  ['category forums', 'forum'],
]);

/** On every message of a Takeout in English. One in another language calls `Unread` something else, so it says nothing. */
const ENGLISH = ['inbox', 'archived', 'sent', 'opened', 'unread'];
const MAX_LENGTH = 10_000;

/** `X-Gmail-Labels` of a Google Takeout: encoded words, labels separated by commas, quoted when they hold one. */
function gmailLabels(sent: string): string[] {
  const labels = decodeWords(sent.slice(0, MAX_LENGTH)).match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return labels.map((label) =>
    label
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim()
      .toLowerCase(),
  );
}

/** The program's own lines come before those of the sender, so the first of a name counts. */
export function notesOn(email: Email): Notes {
  const [sent] = headerValues(email, 'x-gmail-labels');
  if (sent === undefined) {
    // Of mbox files: R is read, F is flagged.
    const [status = '', marks = ''] = ['status', 'x-status'].map((key) => headerValues(email, key)[0]);
    return { category: null, read: status.includes('R'), starred: marks.includes('F') };
  }
  const labels = gmailLabels(sent);
  const [category = null] = labels.flatMap((label) => categories.get(label) ?? []);
  return {
    category,
    read: !labels.includes('unread') && labels.some((label) => ENGLISH.includes(label)),
    starred: labels.includes('starred'),
  };
}
