import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { refuse } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /accounts/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const patch = (account: object, by = owner, id = owner.user.account_id) =>
    by.session.updateAccount({ params: { id }, body: { account } });
  const retrieve = async () =>
    (await owner.session.retrieveAccount({ params: { id: owner.user.account_id } })).body.account;
  const events = async () => (await owner.session.listAuditEvents()).body.collection.records;

  it('200: what is sent changes, the rest stays, and every reader sees it', async () => {
    const sent = { name: '  Initech GmbH ', default_currency: 'eur', time_zone: 'Europe/Berlin' };
    const { status, body } = await patch(sent);
    expect(status).toBe(200);
    expect(body.account).toMatchObject({
      name: 'Initech GmbH',
      default_currency: 'EUR',
      time_zone: 'Europe/Berlin',
      api_access: 'enabled',
      features: { ask_assistant: true },
    });
    expect(body.account.updated_at).not.toBeNull();
    expect(await retrieve()).toEqual(body.account);
    expect((await patch({ default_currency: null })).body.account.default_currency).toBeNull();
  });

  it('200: without a change nothing is written', async () => {
    const [before, kept] = [await retrieve(), await events()];
    expect((await patch({ name: before.name, features: {} })).body.account).toEqual(before);
    expect((await patch({})).body.account).toEqual(before);
    expect(await events()).toEqual(kept);
  });

  it('api_access counts on the next request of every running key, sessions go on', async () => {
    await member.reader.listTags();
    await patch({ api_access: 'read_only' });
    const tag = { body: { tag: { name: 'New' } } };
    expect((await member.reader.listTags()).status).toBe(200);
    expect(await codeOf(member.api.createTag(tag))).toBe('403 api_access_read_only');
    await patch({ api_access: 'disabled' });
    expect(await codeOf(member.reader.listTags())).toBe('403 api_access_disabled');
    const { user } = (await member.session.retrieveCurrentUser()).body;
    expect(user.capabilities?.use_api).toBe(false);
    await patch({ api_access: 'enabled' });
    expect((await member.api.createTag(tag)).status).toBe(201);
  });

  it('features count on the next request', async () => {
    await patch({ features: { ask_assistant: false } });
    const { user } = (await member.reader.retrieveCurrentUser()).body;
    expect(user.capabilities?.ask_assistant).toBe(false);
  });

  longIt('default_currency is that of deals without one, in a pipeline without one', async () => {
    await patch({ default_currency: 'SEK' });
    const deal = async (draft: object) =>
      (await member.api.createDeal({ body: { deal: { name: 'Deal', ...draft } } })).body.deal.currency;
    expect(await deal({})).toBe('SEK');
    expect(await deal({ currency: null })).toBeNull();
    expect(await deal({ currency: 'USD' })).toBe('USD');
    const [pipeline] = (await owner.api.listPipelines()).body.pipelines;
    await owner.api.updatePipeline({
      params: { id: pipeline?.id ?? '' },
      body: { pipeline: { currency: 'CHF' } },
    });
    expect(await deal({})).toBe('CHF');
  });

  it('is kept with who did it and what changed', async () => {
    await patch({ name: 'Before' });
    await patch({ api_access: 'read_only', name: 'Initech' });
    const [event] = await events();
    expect(event).toMatchObject({
      action: 'account_updated',
      user_id: owner.user.id,
      subject: { type: 'account', id: owner.user.account_id, name: 'Initech' },
      changes: [
        { field: 'name', before: 'Before', after: 'Initech' },
        { field: 'api_access', before: 'enabled', after: 'read_only' },
      ],
    });
    expect(event?.ip_address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
    expect(event?.user_agent).toBe('node');
  });

  longIt('is written with its event or not at all', async () => {
    for (const done of [false, true]) {
      const before = (await events()).length;
      const fault = refuse(workspace.table, 'TransactWriteItemsCommand', [
        { type: 'AccessDeniedException', done },
      ]);
      expect(await codeOf(patch({ name: `Renamed ${done}` }))).toBe('500 error');
      fault.remove();
      const renamed = (await retrieve()).name === `Renamed ${done}`;
      expect(renamed).toBe(done);
      expect((await events()).length).toBe(before + (renamed ? 1 : 0));
    }
  });

  longIt('of 10 changes at once, all are made and kept, each from the one before', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => patch({ name: `Name ${i}` })));
    const changes = (await events()).flatMap((event) =>
      event.changes.filter(({ after }) => String(after).startsWith('Name ')),
    );
    expect(changes).toHaveLength(10);
    expect(new Set(changes.map(({ before }) => before)).size).toBe(10);
  });

  it.each([
    ['an unknown access', { api_access: 'off' }, { api_access: 'invalid' }],
    ['an unknown currency', { default_currency: 'EURO' }, { default_currency: 'invalid_format' }],
    ['an offset', { time_zone: '+01:00' }, { time_zone: 'invalid_format' }],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, { time_zone: 'invalid_format' }],
    ['no time zone', { time_zone: null }, { time_zone: 'invalid' }],
    ['no name', { name: null }, { name: 'invalid' }],
    ['a blank name', { name: ' ' }, { name: 'required' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    [
      'a feature that is not on or off',
      { features: { ask_assistant: 'yes' } },
      { 'features.ask_assistant': 'invalid' },
    ],
    ['features that are no object', { features: [] }, { features: 'invalid' }],
    [
      'fields of the service',
      { owner_user_id: 'x', billing: {}, id: 'x' },
      { owner_user_id: 'not_allowed', billing: 'not_allowed', id: 'not_allowed' },
    ],
  ])('400: %s', async (_, account, problems) => {
    const before = await retrieve();
    expect(await problemsOf(patch(account))).toEqual(problems);
    expect(await retrieve()).toEqual(before);
  });

  it('502 billing_unavailable: nothing is changed', async () => {
    const before = await retrieve();
    const stand_ins = { billing: { read: () => Promise.reject(new Error('No answer')) } };
    Object.assign(workspace.ctx, { stand_ins });
    expect(await codeOf(patch({ name: 'Unpaid' }))).toBe('502 billing_unavailable');
    Object.assign(workspace.ctx, { stand_ins: undefined });
    expect(await retrieve()).toEqual(before);
  });

  it('403 for members, 404 for other accounts, 403 api_key_insufficient for keys', async () => {
    expect(await codeOf(patch({ name: 'x' }, member))).toBe('403 permission_denied');
    expect(await codeOf(patch({ name: 'x' }, member, workspace.account_id))).toBe('404 record_not_found');
    expect(await codeOf(patch({ name: 'x' }, owner, workspace.account_id))).toBe('404 record_not_found');
    const params = { id: owner.user.account_id };
    expect(await codeOf(owner.api.updateAccount({ params, body: { account: {} } }))).toBe(
      '403 api_key_insufficient',
    );
  });

  it('412: for an account that changed meanwhile', async () => {
    const params = { id: owner.user.account_id };
    const etag = (await owner.session.retrieveAccount({ params })).headers.get('etag') ?? '';
    const change = (name: string) =>
      owner.session.updateAccount({ params, body: { account: { name } }, headers: { 'If-Match': etag } });
    expect((await change('First')).status).toBe(200);
    expect(await codeOf(change('Second'))).toBe('412 precondition_failed');
  });

  it('is as before in accounts that are older than its fields', async () => {
    const key = keys.account(owner.user.account_id);
    await workspace.table.update<Account>(key, { remove: ['time_zone', 'default_currency'] });
    expect(await retrieve()).toMatchObject({ time_zone: 'Etc/UTC', default_currency: null });
    expect((await patch({ name: 'Older' })).body.account).toMatchObject({
      name: 'Older',
      time_zone: 'Etc/UTC',
    });
  });
});
