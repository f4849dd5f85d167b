import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { followShares } from '#shared/domain/mail/threads/shared-texts.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Messages that only a share opens were found by their subjects, beginnings and people alone (docs/decisions/0088). */

const { PK: RECORDS, SK: META } = keys.record('threads', '');

const isShared = (item: Item): item is Thread =>
  item.SK === META && item.PK.startsWith(RECORDS) && Object.keys((item as Thread).shares ?? {}).length > 0;

export const indexSharedTexts: Migration = {
  version: 10,
  summary: 'find shared messages by their whole text',
  readable_from: 8,
  step: eachPage(async (table, items) => {
    for (const thread of items.filter(isShared))
      if (thread.merged_into === undefined)
        await followShares(table, thread, await messagesOf(table, thread.id));
  }),
};
