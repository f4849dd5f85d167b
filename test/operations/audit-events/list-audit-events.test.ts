import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Acting, audit, KEPT } from '#shared/domain/identity/audit/audit.ts';
import type { AuditEvent } from '#shared/domain/identity/audit/event.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /audit_events', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const list = async (query = {}, by = owner) =>
    (await by.session.listAuditEvents({ query })).body.collection;
  const given = async (account_id: string, now: Date, by: Acting = {}) => {
    const subject = { type: 'account' as const, id: account_id, name: null };
    await workspace.table.transact([
      audit({ now, ...by }, account_id, { action: 'account_created', subject }),
    ]);
  };

  it('200: the keys that were made and deleted, by whom, newest first', async () => {
    const draft = { name: 'Export', tier: 'read' as const };
    const { api_key } = (await member.session.createApiKey({ body: { api_key: draft } })).body;
    await owner.session.deleteApiKey({ params: { id: api_key.id } });
    const { records, page_info, filters, slice_key } = await list({ limit: 2 });
    expect([page_info.limit, page_info.has_more_after, filters, slice_key]).toEqual([2, true, null, null]);
    const subject = { type: 'api_key', id: api_key.id, name: 'Export' };
    expect(records).toMatchObject([
      { action: 'api_key_deleted', user_id: owner.user.id, subject, changes: [] },
      { action: 'api_key_created', user_id: member.user.id, subject, changes: [] },
    ]);
    expect(records[0]?.credential_id).not.toBeNull();
    expect(JSON.stringify(records)).not.toContain(api_key.secret);
  });

  it('200: pages of 50, each event once, and the operator has no user', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id } = user.user;
    for (let i = 0; i < 60; i++) await given(account_id, new Date(Date.now() + i));
    const first = await list({}, user);
    expect(first.records).toHaveLength(50);
    expect(first.records[0]).toMatchObject({ user_id: null, ip_address: null, user_agent: null });
    const second = await list({ next_cursor: first.page_info.next_cursor }, user);
    const all = [...first.records, ...second.records];
    // And its two keys and its session.
    expect(new Set(all.map(({ id }) => id)).size).toBe(63);
    expect(second.page_info.next_cursor).toBeNull();
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });

  it('200: events of one moment in the order in which they were written', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id } = user.user;
    const now = new Date(Date.now() + 1_000);
    const ids: string[] = [];
    for (let i = 0; i < 40; i++) {
      const id = `${i}`;
      await workspace.table.transact([
        audit({ now }, account_id, { action: 'user_updated', subject: { type: 'user', id, name: null } }),
      ]);
      ids.unshift(id);
    }
    const { records } = await list({ limit: 40 }, user);
    expect(records.map(({ subject }) => subject.id)).toEqual(ids);
  });

  it('200: for a year, and then the table forgets them', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id } = user.user;
    await given(account_id, new Date(Date.now() - KEPT - 60_000));
    await given(account_id, new Date(Date.now() - KEPT + 60_000));
    expect((await list({}, user)).records.filter(({ action }) => action === 'account_created')).toHaveLength(
      1,
    );
    const { PK, SK } = keys.auditEvent(account_id, '');
    for (const { expires_epoch, created_at } of await workspace.table.all<AuditEvent>(PK, SK))
      expect(expires_epoch * 1_000 - Date.parse(created_at)).toBeGreaterThanOrEqual(KEPT);
  });

  it('a user agent is cut, and may hold anything', async () => {
    const { account_id } = owner.user;
    await given(account_id, new Date(), {
      user_agent: `${'x'.repeat(499)}\u{1F600}`,
      source_ip: '2001:db8::1',
    });
    const [event] = (await list({ limit: 1 })).records;
    expect([event?.user_agent?.length, event?.ip_address]).toEqual([500, '2001:db8::1']);
  });

  it('403 for members; other accounts have events of their own', async () => {
    expect(await codeOf(member.session.listAuditEvents())).toBe('403 permission_denied');
    const theirs = (await list({}, workspace.hank)).records.map(({ id }) => id);
    expect((await list()).records.filter(({ id }) => theirs.includes(id))).toEqual([]);
  });

  it('400: bad limits and cursors, of others too', async () => {
    const { next_cursor } = (await list({ limit: 1 })).page_info;
    expect(await codeOf(list({ limit: 0 }) as never)).toBe('400 invalid_request');
    expect(await codeOf(list({ next_cursor: 'abc' }) as never)).toBe('400 invalid_cursor');
    expect(await codeOf(list({ next_cursor }, workspace.ada) as never)).toBe('400 invalid_cursor');
    expect(await codeOf(list({ prev_cursor: next_cursor }) as never)).toBe(
      '400 unsupported_cursor_direction',
    );
  });
});
