import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { shareable, sharing } from '#shared/composition/sharing.ts';
import { deleteShare as remove } from '#shared/domain/collaboration/shares/delete.ts';

export const deleteShare = route('deleteShare', {
  method: 'DELETE',
  path: onRecord(shareable, 'shares/{id}'),
  access: 'write',
  summary: 'End a share',
  description: 'Records that only the share opened are hidden from the next request on.',
  returns: { 204: null },
  errors: ['permission_denied', 'share_is_inherited'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
});

export const handler = handle(
  deleteShare,
  async ({ ctx, record, params }) => {
    await remove(ctx, record, params.id);
  },
  { ...sharing, ...lists },
);
