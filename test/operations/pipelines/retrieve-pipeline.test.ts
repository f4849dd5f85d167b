import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /pipelines/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const read = (id: string, user: TestUser) => user.reader.retrievePipeline({ params: { id } });

  it('200: as it was created, to every user of the account', async () => {
    const { owner, member } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Pilots', { currency: 'USD', default: true });
    for (const user of [owner, member]) {
      const { status, body } = await read(pipeline.id.toUpperCase(), user);
      expect([status, body]).toEqual([200, { pipeline }]);
    }
  });

  it('200: the pipeline that every account begins with, before and after it is stored', async () => {
    const { owner, member } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    expect((await read(first.id, member)).body.pipeline).toEqual(first);
    await givenPipeline(owner, 'Second');
    expect((await read(first.id, member)).body.pipeline).toEqual(first);
  });

  it('404: an unknown one, those of another account, and the id of another record', async () => {
    const { ada, hank } = workspace;
    const stage = (await firstPipelineOf(ada)).stages[0]?.id as string;
    const foreign = [(await firstPipelineOf(hank)).id, (await givenPipeline(hank, 'Foreign')).id];
    for (const id of [...foreign, stage, ada.user.id, randomUUID()])
      expect(await codeOf(read(id, ada))).toBe('404 record_not_found');
  });
});
