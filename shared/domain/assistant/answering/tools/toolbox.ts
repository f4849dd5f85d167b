import * as z from 'zod';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { isLiveTag } from '#shared/domain/collaboration/tags/tag.ts';
import { uuid } from '#shared/values.ts';
import type { Toolbox } from '../assistant.ts';
import { colleagues } from './colleagues.ts';
import type { ToolContext } from './context.ts';
import { proposal, proposeChange } from './propose-change.ts';
import { type RecordTools, recordTools } from './record-tools.ts';
import { cards, showCards, showTable, table } from './show.ts';
import { tool } from './tool.ts';

/** The tools of the assistant for the user who asked. None of them changes a record. */
export function toolbox(ctx: ToolContext): Toolbox {
  const families = recordTools(ctx);
  const all = Object.values(families);
  return {
    read_record: tool(
      'read_record',
      `Read ${all.map(({ reading }) => reading).join(', or ')}.`,
      { type: z.enum(Object.keys(families)), id: uuid },
      ({ type, id }) => (families[type] as RecordTools).read(ctx, id),
    ),
    ...(Object.assign({}, ...all.map(({ own }) => own(ctx))) as Toolbox),
    list_tags: tool('list_tags', 'List the tags of the account.', {}, async () => {
      const tags = [...(await tagDictionary(ctx.table, ctx.caller.account.id)).values()];
      return { tags: tags.filter(isLiveTag).map(({ id, name, description }) => ({ id, name, description })) };
    }),
    list_users: tool(
      'list_users',
      'List the colleagues of the user, to whom tasks and deals can be assigned.',
      {},
      async () => ({ users: await colleagues(ctx) }),
    ),
    show_cards: tool(
      'show_cards',
      'Show records as cards below the answer.',
      cards(families),
      async (input) => showCards(ctx, input),
    ),
    propose_change: tool(
      'propose_change',
      'Propose a change, which a person accepts or rejects. Only when the question asks for one.',
      proposal(ctx.ports.actions),
      (input) => proposeChange(ctx, input),
    ),
    show_table: tool(
      'show_table',
      'Show a table below the answer. Cells are keyed by the columns’ keys; a row may refer to a record.',
      table(Object.keys(families)),
      async (input) => showTable(ctx, input),
    ),
  };
}
