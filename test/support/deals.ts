import type * as z from 'zod';
import type { DealRecord, dealDraft } from '#shared/domain/crm/deals/deal.ts';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import type { TestUser } from './workspace.ts';

type DealDraft = z.input<typeof dealDraft>;

export async function givenDeal({ api }: TestUser, fields: Partial<DealDraft> = {}): Promise<DealRecord> {
  return (await api.createDeal({ body: { deal: { name: 'Fleet renewal', ...fields } } })).body.deal;
}

/** In a stage of a pipeline, by its place there. */
export const givenDealIn = (user: TestUser, { id, stages }: PipelineRecord, stage = 0): Promise<DealRecord> =>
  givenDeal(user, { pipeline_id: id, stage_id: stages[stage]?.id });

export const dealOf = async ({ reader }: TestUser, id: string): Promise<DealRecord> =>
  (await reader.retrieveDeal({ params: { id } })).body.deal;
