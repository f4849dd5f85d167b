import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { shareable, sharing } from '#shared/composition/sharing.ts';
import { shareChanges, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { updateShare as update } from '#shared/domain/collaboration/shares/update.ts';

export const updateShare = route('updateShare', {
  method: 'PATCH',
  path: onRecord(shareable, 'shares/{id}'),
  access: 'write',
  summary: 'Change what a share allows',
  body: { share: shareChanges },
  returns: { 200: { share: shareSchema } },
  errors: ['permission_denied', 'share_is_inherited'],
  uses: ['table:write'],
});

export const handler = handle(
  updateShare,
  async ({ ctx, record, params, body }) => ({
    share: await update(ctx, record, params.id, body.share),
  }),
  sharing,
);
