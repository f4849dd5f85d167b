import type { MessagePlace } from '#shared/domain/mail/threads/message-place.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Messages were found by their Message-IDs and threads alone. */

const ROW = /^RFC#([^#]+)#([^#]+)$/;
const MESSAGE = 'MESSAGE#';

/** Undefined for anything but the row of a message. */
function placeOf({ PK, SK }: Item): MessagePlace | undefined {
  const [, account_id, id_hash] = ROW.exec(PK) ?? [];
  if (account_id === undefined || id_hash === undefined || !SK.startsWith(MESSAGE)) return undefined;
  const message_id = SK.slice(MESSAGE.length);
  return { ...keys.messagePlace(message_id), account_id, message_id, id_hash };
}

export const messagePlaces: Migration = {
  version: 5,
  summary: 'find messages by their ids',
  readable_from: 4,
  step: eachPage(async (table, items) => {
    const places = items.flatMap((item) => placeOf(item) ?? []);
    await table.writeMany(places.map((put) => ({ put })));
  }),
};
