import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { tagsFor } from '#shared/domain/collaboration/tags/store.ts';
import { createSpace as create } from '#shared/domain/crm/spaces/create.ts';
import { presentSpace, type Space, spaceDraft, spaceSchema } from '#shared/domain/crm/spaces/space.ts';

export const createSpace = route('createSpace', {
  method: 'POST',
  path: '/spaces',
  access: 'write',
  summary: 'Create a space',
  description:
    'A space of the kind `records` is made of the contacts and organizations that are added to it, one of the kind ' +
    '`tags` of whatever carries its tags. The kind cannot be changed. An account has at most 500 spaces.',
  body: { space: spaceDraft },
  examples: { body: { space: { name: 'Ferry builders', kind: 'records', icon: '⛴️' } } },
  returns: { 201: { space: spaceSchema } },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
  idempotent: true,
});

/** Nothing is in it yet, but what carries its tags. */
const newExtras = ({ kind }: Pick<Space, 'kind'>) => ({
  contact_ids: [],
  organization_ids: [],
  thread_count: kind === 'records' ? 0 : null,
  open_task_count: 0,
  comments: [],
  tasks: [],
});

export const handler = handle(
  createSpace,
  async ({ ctx, body, keep }) => {
    const tags = await tagsFor(ctx, [{ tag_ids: new Set(body.space.tag_ids) }]);
    const present = (space: Space) => presentSpace(space, tags, newExtras(space));
    const space = await create(ctx, body.space, { tags, also: (made) => keep({ space: present(made) }) });
    return { space: present(space) };
  },
  recordLists,
);
