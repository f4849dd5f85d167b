import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pipelineSchema, presentPipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import { requirePipeline } from '#shared/domain/crm/pipelines/policy.ts';

export const retrievePipeline = route('retrievePipeline', {
  method: 'GET',
  path: '/pipelines/{id}',
  access: 'read',
  summary: 'Retrieve a pipeline',
  description: 'With its stages, by position.',
  returns: { 200: { pipeline: pipelineSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrievePipeline, async ({ ctx, params }) => {
  const { all, pipeline } = await requirePipeline(ctx, params.id);
  return { pipeline: presentPipeline(all, pipeline) };
});
