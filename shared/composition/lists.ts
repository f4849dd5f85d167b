import { threadLists } from '#shared/domain/mail/threads/keeper.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';

/** The lists that follow changes of tags and access. */
export const lists: KeepsLists = { lists: { 'index-threads': threadLists } };
