import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { addMember } from '#shared/domain/crm/spaces/memberships/add.ts';
import {
  memberChoice,
  memberFields,
  membershipSchema,
} from '#shared/domain/crm/spaces/memberships/membership.ts';

export const createSpaceMembership = route('createSpaceMembership', {
  method: 'POST',
  path: '/spaces/{space_id}/memberships',
  access: 'write',
  summary: 'Add a contact or an organization to a space',
  description:
    'Takes exactly one of `contact_id` and `organization_id`. A membership that exists already is returned unchanged. A ' +
    'space has at most 500 of them, and a contact or an organization is in 20 spaces at most.',
  body: memberFields,
  examples: { body: { contact_id: '0198c0de-0000-7000-8000-000000000001' } },
  returns: { 200: { membership: membershipSchema } },
  errors: ['permission_denied', 'space_is_tag_based'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  createSpaceMembership,
  async ({ ctx, params, body }) => ({
    membership: await addMember(ctx, params.space_id, memberChoice(body)),
  }),
  recordLists,
);
