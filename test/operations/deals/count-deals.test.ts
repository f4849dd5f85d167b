import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../support/deals.ts';
import { givenTeam } from '../../support/pipelines.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Counts with all filters: test/domain/crm/deals/lists.long.test.ts. */
describe('GET /deals/count', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: exact without a cap, and up to it', async () => {
    const { owner, member } = await givenTeam(workspace);
    for (let i = 0; i < 3; i++) await givenDeal(owner, { name: `Deal ${i}` });
    await givenDeal(owner, { visibility: 'private' });
    const count = async (user: typeof owner, query: object) =>
      (await user.reader.countDeals({ query })).body.count;
    expect(await count(owner, {})).toEqual({ total: 4, exact: true, capped: false, cap: null });
    expect(await count(member, {})).toEqual({ total: 3, exact: true, capped: false, cap: null });
    for (const query of [{}, { query: 'deal' }])
      expect(await count(owner, { ...query, cap: 2 })).toEqual({
        total: 2,
        exact: false,
        capped: true,
        cap: 2,
      });
    expect(await count(owner, { cap: 9 })).toEqual({ total: 4, exact: true, capped: false, cap: 9 });
  });
});
