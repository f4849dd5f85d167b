import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /tasks/count', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: what the list has with the same filters, up to the cap', async () => {
    const { grace: user } = workspace;
    for (const name of ['Call Ann', 'Call Bo', 'Pay'])
      await user.api.createTask({ body: { task: { name } } });
    const count = async (query: object) => (await user.reader.countTasks({ query })).body.count;
    expect(await count({ slice: 'created' })).toEqual({ total: 3, exact: true, capped: false, cap: null });
    expect(await count({ query: 'call' })).toMatchObject({ total: 2 });
    expect(await count({ cap: '2' })).toEqual({ total: 2, exact: false, capped: true, cap: 2 });
    expect(await codeOf(user.reader.countTasks({ query: { contact_id: user.user.id } }))).toBe(
      '404 record_not_found',
    );
    expect(await problemsOf(user.reader.countTasks({ query: { cap: '0' as never } }))).toEqual({
      cap: 'invalid',
    });
  });
});
