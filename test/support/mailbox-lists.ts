import { expect } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { isOfMailboxes, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import { deriveView } from '#shared/domain/mail/threads/mailbox-views.ts';
import type { MailboxView, Message, Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys, nameOfKey } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { scan } from './scan.ts';

type Stored = Item & { account_id?: string };

/** The places in the lists of words that these mailboxes have. */
function placesOf(items: Item[], mailboxes: string[]): string[] {
  const begins = mailboxes.map((id) => keys.posting(id, '', '').PK);
  const isPlace = ({ PK }: Item) =>
    begins.some((begin) => PK.startsWith(begin) && isOfMailboxes(PK.slice(begin.length)));
  return items.filter(isPlace).map(nameOfKey).sort();
}

/** The views that follow from the messages of a thread. */
function wantedViews(thread: Thread, messages: Message[], mailboxes: string[]) {
  if (thread.merged_into !== undefined) return [];
  return mailboxes.flatMap((id) => deriveView(thread, id, messages) ?? []);
}

/**
 * Expects the mailboxes of an account to have exactly what follows from its messages: in views of threads, and in lists of
 * words. Returns the number of places.
 */
export async function expectMailboxLists(table: Table, account_id: string): Promise<number> {
  const items = (await scan(table)) as Stored[];
  const own = items.filter((item) => item.account_id === account_id);
  const mailboxes = own
    .filter(({ PK, SK }) => PK === keys.account(account_id).PK && SK.startsWith('MAILBOX#'))
    .map((mailbox) => (mailbox as unknown as Mailbox).id);
  const threads = own.filter(
    ({ PK, SK }) => PK === keys.record('threads', PK.split('#')[2] ?? '').PK && SK === 'META',
  );
  const rowsOf = (thread: Thread, kind: string) =>
    own
      .filter(({ PK, SK }) => PK === thread.PK && SK.startsWith(kind))
      .sort((a, b) => (a.SK < b.SK ? -1 : 1));
  const views: MailboxView[] = [];
  for (const thread of threads as Thread[]) {
    const stored = rowsOf(thread, 'MAILBOX#') as MailboxView[];
    const wanted = wantedViews(thread, rowsOf(thread, 'MESSAGE#') as Message[], mailboxes);
    const seen = ({ version: _, ...view }: Omit<MailboxView, 'revision'>) => view;
    expect(stored.map(({ revision: _, ...view }) => seen(view))).toEqual(
      wanted.map(seen).sort((a, b) => (a.SK < b.SK ? -1 : 1)),
    );
    views.push(...stored);
  }
  const wanted = views.flatMap((view) => wordPostings(view.mailbox_id, view)).map(nameOfKey);
  expect(placesOf(items, mailboxes)).toEqual(wanted.sort());
  return wanted.length;
}
