import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { stageChanges, stageSchema } from '#shared/domain/crm/pipelines/stages/stage.ts';
import { updateStage as update } from '#shared/domain/crm/pipelines/stages/update.ts';

export const updateStage = route('updateStage', {
  method: 'PATCH',
  path: '/pipelines/{pipeline_id}/stages/{id}',
  access: 'write',
  summary: 'Update a stage',
  description:
    'For account admins. Fields that are not sent stay, `null` clears. `position` moves the stage and renumbers the ' +
    'others. One stage of the pipeline stays open, and the `kind` of a stage with deals does not change.',
  body: { stage: stageChanges },
  examples: { body: { stage: { name: 'Demo given', probability: 45, position: 1 } } },
  returns: { 200: { stage: stageSchema } },
  errors: ['permission_denied', 'stage_name_taken', 'stage_is_last_open', 'stage_has_deals'],
  uses: ['table:write'],
});

export const handler = handle(updateStage, async ({ ctx, params, body }) => ({
  stage: await update(ctx, params.pipeline_id, params.id, body.stage),
}));
