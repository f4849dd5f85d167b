import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { insertGroup, newGroup } from '#shared/domain/identity/groups/create.ts';
import { groupDraft, groupSchema, presentGroup } from '#shared/domain/identity/groups/group.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';

export const createGroup = route('createGroup', {
  method: 'POST',
  path: '/groups',
  access: 'write',
  summary: 'Create a group',
  description:
    'Names are unique in the account: they are compared without case. A group has the users that are sent, 90 at ' +
    'most; its creator is not added automatically. An account has at most 500 groups.',
  body: { group: groupDraft },
  returns: { 201: { group: groupSchema } },
  errors: ['record_not_found', 'group_name_taken'],
  uses: ['table:write'],
  versioned: true,
  idempotent: true,
});

export const handler = handle(createGroup, async ({ ctx, body, keep }) => {
  const users = await requireUsers(ctx.table, ctx.caller.account.id, body.group.user_ids);
  const group = newGroup(ctx.caller, body.group, ctx.now);
  const response = { group: presentGroup(group, users, ctx) };
  await insertGroup(ctx, group, keep(response));
  return response;
});
