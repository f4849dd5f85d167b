import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { milestoneSchema } from '#shared/domain/work/milestones/milestone.ts';
import { listMilestones as list } from '#shared/domain/work/milestones/store.ts';

export const listMilestones = route('listMilestones', {
  method: 'GET',
  path: '/milestones',
  access: 'read',
  summary: 'List milestones',
  description:
    'Every milestone that the key’s user sees, returned whole: open ones first, then by `due_on`, those without a day last.',
  returns: { 200: { collection: wholeCollection(milestoneSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listMilestones,
  async ({ ctx }) => ({ collection: whole(await list(ctx)) }),
  visibility,
);
