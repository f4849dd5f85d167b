import * as z from 'zod';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { stands } from '#shared/domain/collaboration/tags/tag.ts';
import type { Toolbox } from '#shared/providers/assistant/assistant.ts';
import { dateTime, requiredText, uuid } from '#shared/values.ts';
import type { ToolContext } from './context.ts';
import { proposal, proposeChange } from './propose-change.ts';
import { readContact } from './read-contact.ts';
import { readThread } from './read-thread.ts';
import { searchContacts } from './search-contacts.ts';
import { cards, showCards, showTable, table } from './show.ts';
import { searchThreads } from './thread-rows.ts';
import { tool } from './tool.ts';

const recordChoice = { type: z.enum(['thread', 'contact']), id: uuid };

const threadSearch = {
  query: requiredText(500).optional().meta({ description: 'Beginnings of words of subject or text' }),
  contact_id: uuid.optional(),
  participant: requiredText(320).optional().meta({ description: 'An email address' }),
  unread: z.boolean().optional(),
  unresolved: z.boolean().optional(),
  flagged: z.boolean().optional(),
  awaiting: z.boolean().optional().meta({ description: 'Nobody of the user’s side has answered' }),
  last_sent_after: dateTime.optional(),
  limit: z.int().min(1).max(20).default(10),
};

/** What the assistant may do for the user who asked. Nothing of it changes a record. */
export function toolbox(ctx: ToolContext): Toolbox {
  return {
    read_record: tool(
      'read_record',
      'Read a thread with its newest messages and comments, or a contact with its latest threads.',
      recordChoice,
      ({ type, id }) => (type === 'thread' ? readThread(ctx, id) : readContact(ctx, id)),
    ),
    search_threads: tool(
      'search_threads',
      'Find email threads, newest first, with how many there are. All conditions must hold.',
      threadSearch,
      ({ limit, awaiting, ...filters }) =>
        searchThreads(ctx, { ...filters, ...(awaiting ? { slice: 'awaiting' as const } : {}) }, limit),
    ),
    search_contacts: tool(
      'search_contacts',
      'Find contacts by an email address or by the beginnings of words of their names.',
      { query: requiredText(500) },
      ({ query }) => searchContacts(ctx, query),
    ),
    list_tags: tool('list_tags', 'List the tags of the account.', {}, async () => {
      const tags = [...(await tagDictionary(ctx.table, ctx.caller.account.id)).values()];
      return { tags: tags.filter(stands).map(({ id, name, description }) => ({ id, name, description })) };
    }),
    show_cards: tool('show_cards', 'Show records as cards below the answer.', cards, async (input) =>
      showCards(ctx, input),
    ),
    propose_change: tool(
      'propose_change',
      'Propose a change, which a person accepts or rejects. Only when the question asks for one.',
      proposal,
      (input) => proposeChange(ctx, input),
    ),
    show_table: tool(
      'show_table',
      'Show a table below the answer. Cells are keyed by the columns’ keys; a row may refer to a record.',
      table,
      async (input) => showTable(ctx, input),
    ),
  };
}
