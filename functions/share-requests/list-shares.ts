import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { shareable, sharing } from '#shared/composition/sharing.ts';
import { shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { listShares as list } from '#shared/domain/collaboration/shares/store.ts';

export const listShares = route('listShares', {
  method: 'GET',
  path: onRecord(shareable, 'shares'),
  access: 'read',
  summary: 'List the shares of a record',
  description: "The record's own shares, oldest first; then those it inherits from its mailboxes.",
  returns: { 200: { shares: z.array(shareSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listShares,
  async ({ ctx, record }) => ({
    shares: await list(ctx, record),
  }),
  sharing,
);
