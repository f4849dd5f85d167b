import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deletePipeline as remove } from '#shared/domain/crm/pipelines/delete.ts';

export const deletePipeline = route('deletePipeline', {
  method: 'DELETE',
  path: '/pipelines/{id}',
  access: 'write',
  summary: 'Delete a pipeline',
  description:
    'For account admins, and only without deals, open or closed. When it was the default, the next one by position ' +
    'becomes it. The last pipeline of an account stays. Its name is free again.',
  returns: { 204: null },
  errors: ['permission_denied', 'pipeline_has_deals', 'pipeline_is_last'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(deletePipeline, async ({ ctx, params }) => {
  await remove(ctx, params.id);
});
