import type * as z from 'zod';
import type {
  Pipeline,
  PipelineOrder,
  PipelineRecord,
  pipelineDraft,
} from '#shared/domain/crm/pipelines/pipeline.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { givenAccount } from './accounts.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The owner and a member of a new account, which has the pipeline that every account begins with. */
export async function givenTeam(workspace: Workspace): Promise<{ owner: TestUser; member: TestUser }> {
  const [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  return { owner, member };
}

type PipelineDraft = z.input<typeof pipelineDraft>;

export async function givenPipeline(
  { api }: TestUser,
  name: string,
  fields: Omit<PipelineDraft, 'name'> = {},
): Promise<PipelineRecord> {
  return (await api.createPipeline({ body: { pipeline: { ...fields, name } } })).body.pipeline;
}

export async function pipelinesOf({ reader }: TestUser): Promise<PipelineRecord[]> {
  return (await reader.listPipelines()).body.pipelines;
}

export async function firstPipelineOf(user: TestUser): Promise<PipelineRecord> {
  return (await pipelinesOf(user))[0] as PipelineRecord;
}

/** Name and place of each pipeline, and a star behind the default. */
export async function orderOf(user: TestUser): Promise<string[]> {
  const all = await pipelinesOf(user);
  return all.map((pipeline) => `${pipeline.position} ${pipeline.name}${pipeline.default ? '*' : ''}`);
}

/** Position and name of each stage of a pipeline. */
export async function stagesOf({ reader }: TestUser, id: string): Promise<string[]> {
  const { stages } = (await reader.retrievePipeline({ params: { id } })).body.pipeline;
  return stages.map(({ position, name }) => `${position} ${name}`);
}

/** More pipelines of the account, as they would be stored. */
export async function givenCopies(
  table: Table,
  account_id: string,
  id: string,
  count: number,
): Promise<void> {
  const pipeline = await table.get<Pipeline>(keys.pipeline(account_id, id));
  const copies = Array.from({ length: count }, () => {
    const copy = newId(new Date());
    return {
      ...pipeline,
      ...keys.pipeline(account_id, copy),
      id: copy,
      name: `${pipeline?.name} ${copy}`,
    };
  });
  const order = await table.get<PipelineOrder>(keys.pipelineOrder(account_id));
  const ids = [...(order?.ids ?? []), ...copies.map((copy) => copy.id)];
  await table.writeMany(
    [...copies, { ...order, ...keys.pipelineOrder(account_id), ids }].map((put) => ({ put })),
  );
}
