import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemsOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** With the filters of the list: list-files.test.ts. */
describe('GET /files/count', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: exact, or up to a cap; decorative ones when they are asked for', async () => {
    const { ada, linus } = workspace;
    for (const decorative of [false, false, true]) await givenFile(workspace, ada, { decorative });
    const count = async (query: object = {}, user = ada) =>
      (await user.reader.countFiles({ query })).body.count;
    expect(await count()).toEqual({ total: 2, exact: true, capped: false, cap: null });
    expect(await count({ include_decorative: 'true' })).toMatchObject({ total: 3 });
    expect(await count({ include_decorative: 'false' })).toMatchObject({ total: 2 });
    expect(await count({ cap: '1' })).toEqual({ total: 1, exact: false, capped: true, cap: 1 });
    expect(await count({ cap: '5' })).toEqual({ total: 2, exact: true, capped: false, cap: 5 });
    expect(await count({}, linus)).toMatchObject({ total: 0 });
    expect(await problemsOf(ada.reader.countFiles({ query: { cap: '0' as never } }))).toEqual({
      cap: 'invalid',
    });
  });
});
