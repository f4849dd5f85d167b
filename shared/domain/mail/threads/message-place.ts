import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { Message } from './thread.ts';

/** Finds a message by its id alone. It never changes: the row of its Message-ID tells the thread. */
export type MessagePlace = Item & { account_id: string; message_id: string; id_hash: string };

export function placeWrite({ account_id, id, id_hash }: Message): Write {
  const put: MessagePlace = { ...keys.messagePlace(id), account_id, message_id: id, id_hash };
  return { put };
}
