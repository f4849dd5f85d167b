import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteStage as remove } from '#shared/domain/crm/pipelines/stages/delete.ts';
import { uuid } from '#shared/values.ts';

export const deleteStage = route('deleteStage', {
  method: 'DELETE',
  path: '/pipelines/{pipeline_id}/stages/{id}',
  access: 'write',
  summary: 'Delete a stage',
  description:
    'For account admins. A stage with deals is deleted only with `replacement_stage_id`, another stage of the ' +
    'pipeline that gets them; nobody is notified. The last open stage of a pipeline stays.',
  body: { replacement_stage_id: uuid.nullish() },
  returns: { 204: null },
  errors: ['permission_denied', 'stage_has_deals', 'stage_is_last_open'],
  uses: ['table:write', 'queue:move-deals'],
});

export const handler = handle(deleteStage, async ({ ctx, params, body }) => {
  await remove(ctx, params.pipeline_id, params.id, body.replacement_stage_id ?? null);
});
