import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /agent_configurations/{agent_slug}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
  });
  afterAll(() => workspace.stop());

  const update = (agent_slug: string, agent_configuration: unknown, user = ada) =>
    user.api.updateAgentConfiguration({
      params: { agent_slug },
      body: { agent_configuration } as never,
    });
  const read = async (slug: string) => {
    const { records } = (await ada.reader.listAgentConfigurations()).body.collection;
    return records.find(({ agent_slug }) => agent_slug === slug);
  };

  it('200: the configuration, with who changed it and when', async () => {
    workspace.setTime(new Date('2027-01-01T10:00:00.000Z'));
    const sent = {
      enabled: true,
      mode: 'auto_apply',
      instructions: 'Invoices get the tag Accounting.',
      settings: { language: 'en', tags: ['a', 'b'], limit: 1e300, strict: true, nothing: null },
    };
    const { status, body } = await update('auto_tag', sent);
    workspace.setTime(undefined);
    expect(status).toBe(200);
    expect(body.agent_configuration).toMatchObject({
      agent_slug: 'auto_tag',
      ...sent,
      updated_by_user_id: ada.user.id,
      updated_at: '2027-01-01T10:00:00.000Z',
    });
    expect(await read('auto_tag')).toEqual(body.agent_configuration);
  });

  it('200: unsent fields stay, null and blank clear the instructions, settings are replaced whole', async () => {
    await update('auto_task', { enabled: true, instructions: 'Be brief.', settings: { a: 1, b: 2 } });
    expect((await update('auto_task', { mode: 'auto_apply' })).body.agent_configuration).toMatchObject({
      enabled: true,
      mode: 'auto_apply',
      instructions: 'Be brief.',
      settings: { a: 1, b: 2 },
    });
    for (const cleared of [null, ' \n']) {
      await update('auto_task', { instructions: 'Be brief.' });
      const { body } = await update('auto_task', { instructions: cleared });
      expect(body.agent_configuration.instructions).toBeNull();
    }
    const { body } = await update('auto_task', { settings: { c: 3 } });
    expect(body.agent_configuration.settings).toEqual({ c: 3 });
    expect((await update('auto_task', { enabled: false })).body.agent_configuration.enabled).toBe(false);
  });

  it('200: nothing sent changes nothing, and unknown keys are ignored', async () => {
    const before = await read('auto_summarize');
    for (const nothing of [{}, { colour: 'red' }])
      expect((await update('auto_summarize', nothing)).body.agent_configuration).toEqual(before);
  });

  it('404 record_not_found for any other slug, to every user', async () => {
    for (const slug of ['auto_everything', 'AUTO_TAG', 'constructor', '__proto__', 'auto_tag%20', '%00'])
      for (const user of [ada, workspace.grace])
        expect(await codeOf(update(slug, { enabled: true }, user))).toBe('404 record_not_found');
  });

  it('403 permission_denied for everyone but admins', async () => {
    const { grace, table, account_id } = workspace;
    expect(await codeOf(update('auto_enrich', { enabled: true }, grace))).toBe('403 permission_denied');
    expect((await read('auto_enrich'))?.enabled).toBe(false);
    const asRole = (role: User['role']) =>
      table.update<User>(keys.user(account_id, grace.user.id), { set: { role } });
    await asRole('admin');
    const { body } = await update('auto_enrich', { enabled: true }, grace);
    await asRole('member');
    expect(body.agent_configuration).toMatchObject({ enabled: true, updated_by_user_id: grace.user.id });
  });

  it('200: instructions of 4,000 characters, counted as code points', async () => {
    const instructions = '🦕'.repeat(4_000);
    const { body } = await update('auto_meeting', { instructions });
    expect(body.agent_configuration.instructions).toBe(instructions);
  });

  it.each([
    ['instructions of 4,001 characters', { instructions: 'a'.repeat(4_001) }, { instructions: 'too_long' }],
    ['NUL in the instructions', { instructions: 'a\0' }, { instructions: 'invalid_format' }],
    ['a lone surrogate', { instructions: 'a\ud800' }, { instructions: 'invalid_format' }],
    ['an unknown mode', { mode: 'always' }, { mode: 'invalid' }],
    ['no boolean', { enabled: 'true' }, { enabled: 'invalid' }],
    [
      'null where there is always a value',
      { enabled: null, mode: null, settings: null },
      { enabled: 'invalid', mode: 'invalid', settings: 'invalid' },
    ],
    ['settings that are no object', { settings: ['a'] }, { settings: 'invalid' }],
    ['nested settings', { settings: { a: { b: 1 } } }, { 'settings.a': 'invalid' }],
    [
      'more than 50 settings',
      { settings: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
      { settings: 'too_long' },
    ],
    ['settings of more than 16 KB', { settings: { a: 'a'.repeat(16_380) } }, { settings: 'too_long' }],
    [
      'what the service sets',
      { agent_slug: 'auto_tag', name: 'X', description: null, updated_by_user_id: 1, updated_at: {} },
      {
        agent_slug: 'not_allowed',
        name: 'not_allowed',
        description: 'not_allowed',
        updated_by_user_id: 'not_allowed',
        updated_at: 'not_allowed',
      },
    ],
  ])('400: %s', async (_, changes, problems) => {
    const before = await read('auto_meeting');
    expect(await problemsOf(update('auto_meeting', changes))).toEqual(problems);
    expect(await read('auto_meeting')).toEqual(before);
  });

  it('400: without the wrapper', async () => {
    const bare = ada.api.updateAgentConfiguration({
      params: { agent_slug: 'auto_tag' },
      body: { enabled: true } as never,
    });
    expect(await problemsOf(bare)).toEqual({ agent_configuration: 'required' });
  });

  it('keeps concurrent changes of different fields, also the first ones of an account', async () => {
    const { hank } = workspace;
    for (const user of [hank, ada]) {
      const sent = { enabled: true, mode: 'auto_apply', instructions: 'At once.', settings: { at: 'once' } };
      await Promise.all(
        Object.entries(sent).map(([field, value]) => update('auto_deal', { [field]: value }, user)),
      );
      const { records } = (await user.reader.listAgentConfigurations()).body.collection;
      expect(records[3]).toMatchObject(sent);
    }
  });

  it('is changed or not, whichever call fails, and a retry changes it', async () => {
    let calls = 0;
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const before = { mode: 'suggest', instructions: null };
        await update('auto_enrich', before);
        const changed = { mode: 'auto_apply', instructions: `${call} ${when}` };
        const fault = failCall(workspace.table, call, when);
        await update('auto_enrich', changed).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        reached = fault.hit;
        calls = call;
        const { mode, instructions } = (await read('auto_enrich')) ?? {};
        expect([before, changed]).toContainEqual({ mode, instructions });
        expect((await update('auto_enrich', changed)).body.agent_configuration).toMatchObject(changed);
      }
    // Authentication and the write.
    expect(calls).toBeGreaterThan(3);
  });
});
