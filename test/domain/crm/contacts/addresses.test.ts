import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import { callerOf } from '../../../support/callers.ts';
import { bestOfFive } from '../../../support/meter.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('findContactsByAddress', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = async (user: TestUser, name: string, addresses: string[], visibility?: 'private') => {
    const email_addresses = addresses.map((email_address) => ({ email_address }));
    const contact = { name, email_addresses, ...(visibility ? { visibility } : {}) };
    return (await user.api.createContact({ body: { contact } })).body.contact.id;
  };
  const find = async (user: TestUser, addresses: string[]) =>
    Object.fromEntries(
      await findContactsByAddress(
        { ...workspace.ctx, caller: await callerOf(workspace.table, user.user) },
        addresses,
      ),
    );

  it('finds visible contacts by any of their addresses', async () => {
    const { ada, grace, hank } = workspace;
    const shared = { id: await create(grace, 'Shared', ['one@x.example', 'two@x.example']), name: 'Shared' };
    const hidden = { id: await create(grace, 'Hidden', ['three@x.example'], 'private'), name: 'Hidden' };
    await create(hank, 'Elsewhere', ['four@x.example']);
    const asked = ['one@x.example', 'two@x.example', 'three@x.example', 'four@x.example', 'five@x.example'];
    expect(await find(grace, asked)).toEqual({
      'one@x.example': shared,
      'two@x.example': shared,
      'three@x.example': hidden,
    });
    expect(await find(ada, asked)).toEqual({ 'one@x.example': shared, 'two@x.example': shared });
  });

  it('returns the oldest of several', async () => {
    const { ada, grace } = workspace;
    workspace.setTime(new Date('2040-01-01T00:00:00Z'));
    const own = await create(grace, 'Own', ['both@x.example'], 'private');
    workspace.setTime(new Date('2040-01-01T00:00:01Z'));
    const common = await create(ada, 'Common', ['both@x.example']);
    workspace.setTime(undefined);
    expect(await find(grace, ['both@x.example'])).toMatchObject({ 'both@x.example': { id: own } });
    expect(await find(ada, ['both@x.example'])).toMatchObject({ 'both@x.example': { id: common } });
  });

  it('reads all addresses at once', bestOfFive, async () => {
    const caller = await callerOf(workspace.table, workspace.ada.user);
    const asked = Array.from({ length: 250 }, (_, i) => `${i}@x.example`);
    const { depth } = await countRoundTrips(workspace.table, () =>
      findContactsByAddress({ ...workspace.ctx, caller }, asked),
    );
    expect(depth).toBe(1);
  });
});
