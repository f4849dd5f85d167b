import { mapAtOnce } from '#shared/at-once.ts';
import { type StoredBody, wordsOfBody } from '#shared/domain/mail/threads/body.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { restoreDoc } from '#shared/domain/platform/text-index/docs.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { at, ConditionFailed, type Item, type Table, when } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Messages were found by their subjects, beginnings and people alone (docs/decisions/0088). */

const AT_ONCE = 16;
const { PK: RECORDS } = keys.record('threads', '');
const isMessage = (item: Item): item is Message =>
  item.PK.startsWith(RECORDS) && item.SK.startsWith('MESSAGE#') && !('trace' in item);

async function add(table: Table, message: Message): Promise<string[]> {
  const { id, id_hash, thread_id, sent } = message;
  const [body, row] = await Promise.all([
    table.get<StoredBody>(keys.body(thread_id, id)),
    table.get<IdRow>(keys.messageId(message.account_id, id_hash, id)),
  ]);
  const words = wordsOfBody(message, body);
  const mailboxes = [...(row?.mailbox_ids ?? [])];
  for (const mailbox of mailboxes) {
    const { deliveries } = row as IdRow;
    const isThere = when<IdRow>({ deliveries: at(mailbox, deliveries[mailbox] as string) });
    const doc = { id, moment: sent, ref: id_hash };
    await unlessChanged(
      table.transact([{ check: keyOf(row as IdRow), when: isThere }, ...restoreDoc(mailbox, doc, words)]),
    );
  }
  return mailboxes;
}

/** A worker does the same, or the message left meanwhile: then the work goes on. */
async function unlessChanged(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function sort(table: Table, mailbox: string): Promise<void> {
  return unlessChanged(sortIndex({ table, clock: () => new Date() }, mailbox, { timeIsUp: () => false }));
}

export const indexTexts: Migration = {
  version: 9,
  summary: 'find messages by their whole text',
  readable_from: 8,
  step: eachPage(async (table, items) => {
    const touched = await mapAtOnce(items.filter(isMessage), AT_ONCE, (message) => add(table, message));
    for (const mailbox of new Set(touched.flat())) await sort(table, mailbox);
  }),
};
