import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { spaceSchema } from '#shared/domain/crm/spaces/space.ts';
import { listSpaces as list } from '#shared/domain/crm/spaces/store.ts';

export const listSpaces = route('listSpaces', {
  method: 'GET',
  path: '/spaces',
  access: 'read',
  summary: 'List spaces',
  description:
    'Every space that the key’s user sees, returned whole: by name, without regard to case and accents, archived ones last.',
  returns: { 200: { collection: wholeCollection(spaceSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listSpaces, async ({ ctx }) => ({ collection: whole(await list(ctx)) }));
