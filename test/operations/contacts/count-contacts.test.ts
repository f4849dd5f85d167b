import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts/count', () => {
  let workspace: Workspace;
  let hank: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ hank } = workspace);
    for (const name of ['Ann One', 'Ann Two', 'Bo Three']) await givenContact(hank, { name });
    await givenContact(hank, { name: 'Ann Four', visibility: 'private' });
  });
  afterAll(() => workspace.stop());

  const ask = (query: object) => hank.reader.countContacts({ query });
  const count = async (query: object = {}) => (await ask(query)).body.count;

  it('200: exact without a cap, and below it', async () => {
    expect(await count()).toEqual({ total: 4, exact: true, capped: false, cap: null });
    expect(await count({ query: 'ann', cap: 4 })).toEqual({ total: 3, exact: true, capped: false, cap: 4 });
  });

  it('200: stops at the cap', async () => {
    expect(await count({ cap: 2 })).toEqual({ total: 2, exact: false, capped: true, cap: 2 });
    expect(await count({ query: 'ann', cap: 3 })).toEqual({ total: 3, exact: false, capped: true, cap: 3 });
  });

  it('200: of another account nothing', async () => {
    expect((await workspace.grace.reader.countContacts()).body.count.total).toBe(0);
  });

  it.each([
    ['slice', 'theirs', 'invalid'],
    ['cap', '0', 'invalid'],
    ['tags', 'no-id', 'invalid_format'],
    ['updated_after', 'yesterday', 'invalid_format'],
    ['query', ' ', 'required'],
    ['email_address', 'nobody', 'invalid_format'],
  ])('400: %s %s', async (name, value, code) => {
    expect(await problemsOf(ask({ [name]: value }))).toEqual({ [name]: code });
  });

  it('404: a tag of nobody', async () => {
    expect(await codeOf(ask({ tags: randomUUID() }))).toBe('404 record_not_found');
  });
});
