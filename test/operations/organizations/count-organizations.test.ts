import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /organizations/count', () => {
  let workspace: Workspace;
  let hank: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ hank } = workspace);
    for (const name of ['Acme One', 'Acme Two', 'Bolt']) await givenOrganization(hank, { name });
    await givenOrganization(hank, { name: 'Acme Three', visibility: 'private', domains: ['three.example'] });
  });
  afterAll(() => workspace.stop());

  const ask = (query: object) => hank.reader.countOrganizations({ query });
  const count = async (query: object = {}) => (await ask(query)).body.count;

  it('200: exact without a cap, and below it', async () => {
    expect(await count()).toEqual({ total: 4, exact: true, capped: false, cap: null });
    expect(await count({ query: 'acme', cap: 4 })).toEqual({ total: 3, exact: true, capped: false, cap: 4 });
    expect(await count({ domain: 'three.example' })).toMatchObject({ total: 1 });
  });

  it('200: stops at the cap', async () => {
    expect(await count({ cap: 2 })).toEqual({ total: 2, exact: false, capped: true, cap: 2 });
  });

  it('200: of another account nothing', async () => {
    expect((await workspace.grace.reader.countOrganizations()).body.count.total).toBe(0);
  });

  it('400 and 404: a cap of 0, a tag of nobody', async () => {
    expect(await problemsOf(ask({ cap: '0' }))).toEqual({ cap: 'invalid' });
    expect(await codeOf(ask({ tags: randomUUID() }))).toBe('404 record_not_found');
  });
});
