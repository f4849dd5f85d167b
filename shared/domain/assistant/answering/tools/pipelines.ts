import { listPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { PipelineView } from '../other-views.ts';
import type { ToolContext } from './context.ts';

/** The pipelines of the account, which all users see. */
export async function pipelineViews(ctx: ToolContext): Promise<{ pipelines: PipelineView[] }> {
  const { pipelines } = await listPipelines(ctx);
  return {
    pipelines: pipelines.map(({ id, name, currency, stages }) => ({
      ...{ id, name, currency },
      stages: stages.map((stage) => ({ id: stage.id, name: stage.name, kind: stage.kind })),
    })),
  };
}
