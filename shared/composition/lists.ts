import { threadLists } from '#shared/domain/mail/threads/keeper.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { recordLists } from './record-lists.ts';

/** The lists that are updated when tags or access change. */
export const lists: KeepsLists = { lists: { 'index-threads': threadLists, ...recordLists.lists } };
