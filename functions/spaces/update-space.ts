import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { noExtras, presentSpace, spaceChanges, spaceSchema } from '#shared/domain/crm/spaces/space.ts';
import { updateSpace as update } from '#shared/domain/crm/spaces/update.ts';

export const updateSpace = route('updateSpace', {
  method: 'PATCH',
  path: '/spaces/{id}',
  access: 'write',
  summary: 'Update a space',
  description:
    'Fields that are not sent stay, `null` clears, and `tag_ids` replaces all of its tags. Contacts and organizations ' +
    'are added and removed by memberships.',
  body: { space: spaceChanges },
  examples: { body: { space: { name: 'Ferry yards', archived: true } } },
  returns: { 200: { space: spaceSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateSpace,
  async ({ ctx, params, body }) => {
    const tags = await tagDictionary(ctx.table, ctx.caller.account.id);
    return { space: presentSpace(await update(ctx, params.id, body.space, tags), tags, noExtras) };
  },
  recordLists,
);
