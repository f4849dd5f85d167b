import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createStage as create } from '#shared/domain/crm/pipelines/stages/create.ts';
import { stageDraft, stageSchema } from '#shared/domain/crm/pipelines/stages/stage.ts';

export const createStage = route('createStage', {
  method: 'POST',
  path: '/pipelines/{pipeline_id}/stages',
  access: 'write',
  summary: 'Create a stage',
  description:
    'For account admins. Names are unique in the pipeline: they are compared without case. `position` inserts the ' +
    'stage there; without one it comes last. A pipeline has at most 50 stages.',
  body: { stage: stageDraft },
  examples: { body: { stage: { name: 'Demo given', probability: 40, color: '#2F6FED', position: 2 } } },
  returns: { 201: { stage: stageSchema } },
  errors: ['permission_denied', 'stage_name_taken'],
  uses: ['table:write'],
});

export const handler = handle(createStage, async ({ ctx, params, body }) => ({
  stage: await create(ctx, params.pipeline_id, body.stage),
}));
