import * as z from 'zod';
import { recordNotFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import { moment, readMoment } from '../../moments.ts';
import { idFloor } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { uuid } from '../../values.ts';
import type { Caller } from '../caller.ts';
import type { Message } from './message.ts';
import { lastMessages, messageKey, requireConversation } from './store.ts';

/** Where a page of messages ends: before a moment, or before a message. */
export const before = z.union([moment, uuid]);

/**
 * What the ids of the page sort before. A message that the conversation does not have is 404, as is every record that
 * a request names in vain.
 */
async function boundOf(table: Table, caller: Caller, conversation_id: string, before: string) {
  if (!isUuid(before)) return idFloor(readMoment(before, caller.user.time_zone).getTime());
  if (!(await table.get(messageKey(conversation_id, before)))) throw recordNotFound();
  return before;
}

export interface MessagePage {
  /** Oldest first. */
  messages: Message[];
  has_more_before: boolean;
}

/** The newest messages of a conversation of the caller, or the newest before `before`. */
export async function listMessages(
  table: Table,
  caller: Caller,
  conversation_id: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<MessagePage> {
  const [, bound] = await Promise.all([
    requireConversation(table, caller, conversation_id),
    before === undefined ? undefined : boundOf(table, caller, conversation_id, before),
  ]);
  const found = await lastMessages(table, conversation_id, limit + 1, bound);
  return { messages: found.slice(-limit), has_more_before: found.length > limit };
}
