import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pipelineSchema, presentPipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import { listPipelines as list } from '#shared/domain/crm/pipelines/store.ts';

export const listPipelines = route('listPipelines', {
  method: 'GET',
  path: '/pipelines',
  access: 'read',
  summary: 'List the pipelines of the account',
  description:
    'Every pipeline with its stages, by position. All users of the account see all pipelines. There is at least ' +
    'one: an account begins with the pipeline Sales.',
  returns: { 200: { pipelines: z.array(pipelineSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listPipelines, async ({ ctx }) => {
  const all = await list(ctx);
  return { pipelines: all.pipelines.map((pipeline) => presentPipeline(all, pipeline)) };
});
