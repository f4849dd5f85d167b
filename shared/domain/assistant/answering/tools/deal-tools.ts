import * as z from 'zod';
import { requiredText } from '#shared/values.ts';
import { pipelineViews } from './pipelines.ts';
import { readDeal } from './read-deal.ts';
import type { RecordTools } from './record-tools.ts';
import { searchDeals } from './search-deals.ts';
import { tool } from './tool.ts';

export const dealTools: RecordTools = {
  card_type: 'Deal',
  reading: 'a deal with its people, and the stages that it may be in',
  read: readDeal,
  own: (context) => ({
    search_deals: tool(
      'search_deals',
      'Find deals by the beginnings of words of their names and by their status.',
      { query: requiredText(500).optional(), status: z.enum(['open', 'won', 'lost']).optional() },
      (filters) => searchDeals(context, filters),
    ),
    list_pipelines: tool('list_pipelines', 'List the pipelines of deals with their stages.', {}, () =>
      pipelineViews(context),
    ),
  }),
};
