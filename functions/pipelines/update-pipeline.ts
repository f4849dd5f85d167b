import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pipelineChanges, pipelineSchema } from '#shared/domain/crm/pipelines/pipeline.ts';
import { updatePipeline as update } from '#shared/domain/crm/pipelines/update.ts';

export const updatePipeline = route('updatePipeline', {
  method: 'PATCH',
  path: '/pipelines/{id}',
  access: 'write',
  summary: 'Update a pipeline',
  description:
    'For account admins. Fields that are not sent stay. `position` moves the pipeline and renumbers the others; ' +
    '`default: true` takes the default from another one. Stages have operations of their own.',
  body: { pipeline: pipelineChanges },
  examples: { body: { pipeline: { name: 'Pilot projects', default: true, position: 0 } } },
  returns: { 200: { pipeline: pipelineSchema } },
  errors: ['permission_denied', 'pipeline_name_taken'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(updatePipeline, async ({ ctx, params, body }) => ({
  pipeline: await update(ctx, params.id, body.pipeline),
}));
