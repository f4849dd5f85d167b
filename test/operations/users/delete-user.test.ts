import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { runHandOvers } from '../../support/leaving.ts';
import { longIt } from '../../support/long.ts';
import { givenSession } from '../../support/sessions.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /users/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let leaver: TestUser;
  let heir: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  beforeEach(async () => {
    [owner, leaver, heir] = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const remove = (by: TestUser, id: string, body?: { replacement_user_id: string | null }) =>
    by.session.deleteUser({ params: { id }, ...(body ? { body } : {}) });
  const statusOf = async (id: string) =>
    (await owner.reader.retrieveUser({ params: { id } })).body.user.status;

  it('204: keys and sessions end at once, the user stays listed, and it is kept', async () => {
    expect((await remove(owner, leaver.user.id)).status).toBe(204);
    for (const client of [leaver.api, leaver.reader, leaver.session])
      expect(await codeOf(client.listTags())).toBe('401 unauthorized');
    expect(await statusOf(leaver.user.id)).toBe('deactivated');
    const [event] = (await owner.session.listAuditEvents()).body.collection.records;
    expect(event).toMatchObject({
      action: 'user_deactivated',
      user_id: owner.user.id,
      subject: { type: 'user', id: leaver.user.id, name: leaver.user.name },
      changes: [{ field: 'status', before: 'active', after: 'deactivated' }],
    });
  });

  longIt('the keys leave the list, and a user who is back has none', async () => {
    await remove(owner, leaver.user.id);
    await runHandOvers(workspace);
    const { api_keys } = (await owner.session.listApiKeys()).body;
    expect(api_keys.map(({ user_id }) => user_id)).not.toContain(leaver.user.id);
    const params = { id: leaver.user.id };
    await owner.session.updateUser({ params, body: { user: { status: 'active' } } });
    for (const client of [leaver.api, leaver.reader, leaver.session])
      expect(await codeOf(client.listTags())).toBe('401 unauthorized');
  });

  it('who is back before the worker comes has neither the old keys nor the old sessions', async () => {
    await remove(owner, leaver.user.id);
    const params = { id: leaver.user.id };
    await owner.session.updateUser({ params, body: { user: { status: 'active' } } });
    const { api, session } = await givenSession(workspace, leaver);
    const draft = { name: 'New', tier: 'read' as const };
    const { id } = (await api.createApiKey({ body: { api_key: draft } })).body.api_key;
    await runHandOvers(workspace);
    expect((await api.listApiKeys()).body.api_keys.map((key) => key.id)).toEqual([id]);
    expect((await api.listSessions()).body.sessions.map((each) => each.id)).toEqual([session.id]);
  });

  it('204 again: gives what the user got since', async () => {
    await remove(owner, leaver.user.id);
    expect((await remove(owner, leaver.user.id, { replacement_user_id: heir.user.id })).status).toBe(204);
    const jobs = (await openJobs(workspace.table, 'hand-over-records')).filter(
      ({ body }) => body.user_id === leaver.user.id,
    );
    expect(jobs.map(({ body }) => body.to)).toHaveLength(2);
    const { records } = (await owner.session.listAuditEvents()).body.collection;
    expect(records.filter(({ action }) => action === 'user_deactivated')).toHaveLength(1);
  });

  it('400: the user as its own replacement, or no id at all', async () => {
    const replacement_user_id = leaver.user.id;
    expect(await problemsOf(remove(owner, leaver.user.id, { replacement_user_id }))).toEqual({
      replacement_user_id: 'invalid',
    });
    expect(await problemsOf(remove(owner, leaver.user.id, { replacement_user_id: 'me' }))).toEqual({
      replacement_user_id: 'invalid_format',
    });
    expect(await statusOf(leaver.user.id)).toBe('active');
  });

  it('404: a replacement that is no active user of the account, or an unknown user', async () => {
    await remove(owner, heir.user.id);
    for (const replacement_user_id of [heir.user.id, workspace.hank.user.id, randomUUID()])
      expect(await codeOf(remove(owner, leaver.user.id, { replacement_user_id }))).toBe(
        '404 record_not_found',
      );
    expect(await codeOf(remove(owner, workspace.hank.user.id))).toBe('404 record_not_found');
    expect(await statusOf(leaver.user.id)).toBe('active');
  });

  it('403: for members, of themselves too, for admins of owners, and for keys', async () => {
    expect(await codeOf(remove(leaver, heir.user.id))).toBe('403 permission_denied');
    expect(await codeOf(remove(leaver, leaver.user.id))).toBe('403 permission_denied');
    const params = { id: heir.user.id };
    await owner.session.updateUser({ params, body: { user: { role: 'admin' } } });
    expect(await codeOf(remove(heir, owner.user.id))).toBe('403 permission_denied');
    expect(await codeOf(owner.api.deleteUser({ params }))).toBe('403 api_key_insufficient');
    expect((await remove(heir, leaver.user.id)).status).toBe(204);
  });

  it('403: for admins who would take over from an owner who left', async () => {
    const roles = { [leaver.user.id]: 'owner', [heir.user.id]: 'admin' } as const;
    for (const [id, role] of Object.entries(roles))
      await owner.session.updateUser({ params: { id }, body: { user: { role } } });
    await remove(owner, leaver.user.id);
    const replacement_user_id = heir.user.id;
    expect(await codeOf(remove(heir, leaver.user.id, { replacement_user_id }))).toBe('403 permission_denied');
    expect((await remove(owner, leaver.user.id, { replacement_user_id })).status).toBe(204);
  });

  it('412: for a user that changed meanwhile', async () => {
    const params = { id: leaver.user.id };
    const etag = (await leaver.reader.retrieveUser({ params })).headers.get('etag') ?? '';
    await leaver.api.updateUser({ params, body: { user: { last_name: 'Changed' } } });
    const headers = { 'If-Match': etag };
    expect(await codeOf(owner.session.deleteUser({ params, headers }))).toBe('412 precondition_failed');
    const body = { replacement_user_id: randomUUID() };
    expect(await codeOf(owner.session.deleteUser({ params, headers, body }))).toBe('404 record_not_found');
  });
});
