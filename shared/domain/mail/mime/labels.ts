import type { Email } from 'postal-mime';
import { decodeWords } from './encoded-words.ts';
import { headerValues } from './headers.ts';
import type { Category } from './message.ts';

/** Marks that the owner's mail program put on a message in an archive. */
interface Notes {
  category: Category | null;
  /** False when it is unread or unknown. */
  read: boolean;
  starred: boolean;
}

/**
 * The tabs of Gmail's inbox. `social` contains notices of networks about events elsewhere, which the four
 * classifications call an update.
 */
const categories = new Map<string, Category>([
  ['category personal', 'personal'],
  ['category promotions', 'promotion'],
  ['category social', 'update'],
  ['category updates', 'update'],
  ['category forums', 'forum'],
]);

/**
 * Labels on every message of an English Takeout. Other languages use another word for `Unread`, so they tell nothing.
 */
const ENGLISH = ['inbox', 'archived', 'sent', 'opened', 'unread'];
const MAX_LENGTH = 10_000;

/** `X-Gmail-Labels` of a Google Takeout: encoded words, labels separated by commas, quoted when they contain one. */
function gmailLabels(sent: string): string[] {
  const labels = decodeWords(sent.slice(0, MAX_LENGTH)).match(/(?:"[^"]*"|[^",])+/g) ?? [];
  return labels.map((label) =>
    label
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim()
      .toLowerCase(),
  );
}

/** The program's own lines come before those of the sender, so the first field of a name counts. */
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
