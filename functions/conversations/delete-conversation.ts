import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteConversation as remove } from '#shared/domain/assistant/conversations/delete.ts';

export const deleteConversation = route('deleteConversation', {
  method: 'DELETE',
  path: '/conversations/{id}',
  access: 'write',
  summary: 'Delete a conversation',
  description: 'Deletes its messages as well. A pending answer is dropped.',
  returns: { 204: null },
  uses: ['table:write', 'queue:remove-messages'],
  versioned: true,
});

export const handler = handle(deleteConversation, async ({ ctx, params }) => {
  await remove(ctx, params.id);
});
