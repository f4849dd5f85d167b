import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createPipeline as create } from '#shared/domain/crm/pipelines/create.ts';
import { pipelineDraft, pipelineSchema } from '#shared/domain/crm/pipelines/pipeline.ts';

export const createPipeline = route('createPipeline', {
  method: 'POST',
  path: '/pipelines',
  access: 'write',
  summary: 'Create a pipeline',
  description:
    'For account admins. Names are unique in the account: they are compared without case. Without `stages` it gets ' +
    'Lead, Qualified, Proposal, Negotiation, Won and Lost. Without `position` it comes last. An account has at ' +
    'most 100 pipelines.',
  body: { pipeline: pipelineDraft },
  examples: {
    body: {
      pipeline: {
        name: 'Pilot projects',
        currency: 'EUR',
        stages: [
          { name: 'Asked', probability: 20 },
          { name: 'Pilot runs', probability: 60, color: '#2F6FED' },
          { name: 'Won', kind: 'won' },
          { name: 'Lost', kind: 'lost' },
        ],
      },
    },
  },
  returns: { 201: { pipeline: pipelineSchema } },
  errors: ['permission_denied', 'pipeline_name_taken', 'stage_name_taken'],
  uses: ['table:write'],
  versioned: true,
  idempotent: true,
});

export const handler = handle(createPipeline, async ({ ctx, body, keep }) => ({
  pipeline: await create(ctx, body.pipeline, (pipeline) => keep({ pipeline })),
}));
