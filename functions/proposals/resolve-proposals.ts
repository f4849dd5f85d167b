import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { actions } from '#shared/composition/actions.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { proposalStatuses } from '#shared/domain/assistant/proposals/proposal.ts';
import { resolveProposals as resolve } from '#shared/domain/assistant/proposals/resolve.ts';
import { uuid } from '#shared/values.ts';

/** Ids are validated one by one, after their number is checked. */
const sentId = z.unknown().meta({ type: 'string', format: 'uuid' }) as z.ZodType<string, string>;

const result = z.strictObject({
  id: uuid,
  status: z.enum([...proposalStatuses, 'unavailable']),
  error: z
    .strictObject({
      code: z.string().meta({ example: 'proposal_already_answered' }),
      message: z.string(),
      fields: z.record(z.string(), z.strictObject({ code: z.string(), message: z.string() })).optional(),
    })
    .nullable(),
});

export const resolveProposals = route('resolveProposals', {
  method: 'POST',
  path: '/proposals/resolve',
  access: 'write',
  summary: 'Accept or reject several proposals',
  description:
    'One after the other, independently: a failure does not stop the others. There is a result for each id, in the same order; `unavailable` are proposals that the key does not see.',
  body: { ids: z.array(sentId).max(100).pipe(z.array(uuid)), action: z.enum(['accept', 'reject']) },
  returns: { 200: { results: z.array(result) } },
  uses: [
    ...(['bucket:read-bodies', 'bucket:read-mail'] as const),
    ...(['table:write', 'queue:index-threads', 'queue:index-records'] as const),
    ...(['queue:remove-records', 'queue:push-notifications', 'queue:sync-calendars'] as const),
  ],
});

export const handler = handle(
  resolveProposals,
  async ({ ctx, body }) => {
    const results = await resolve(ctx, body.ids, body.action);
    return {
      results: results.map(({ id, status, error }) => ({
        ...{ id, status },
        error: error && {
          code: error.code,
          message: error.message,
          ...(error.fields && { fields: error.fields }),
        },
      })),
    };
  },
  { ...keeping, ...lists, ...actions },
);
