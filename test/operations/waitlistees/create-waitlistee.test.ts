import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { asJson, raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /waitlistees', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  // All requests come from one address: each test has hours of its own.
  let hours = 0;
  afterEach(() => workspace.setTime(new Date(Date.now() + ++hours * 3 * 3_600_000)));
  afterAll(() => workspace.stop());

  const join = (waitlistee: object) =>
    workspace.client().createWaitlistee({ body: { waitlistee: waitlistee as never } });
  const stored = (address: string) => workspace.table.get<Waitlistee>(keys.waitlistee(address));

  it('200: without a credential; addresses are lower case', async () => {
    const sent = {
      email_address: ' Zoe@Acme.example ',
      name: ' Zoë ',
      company_name: '',
      note: 'Boats\nand winches',
    };
    const { status, body } = await join(sent);
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
    expect(await stored('zoe@acme.example')).toMatchObject({
      ...{ email_address: 'zoe@acme.example', name: 'Zoë', company_name: null, note: 'Boats\nand winches' },
      ...{ status: 'waiting', invited_at: null },
    });
  });

  it('200: the same for an address that is there, which stays as first written', async () => {
    const first = await join({ email_address: 'ada@acme.example', name: 'Ada' });
    const before = await stored('ada@acme.example');
    const again = await join({ email_address: 'ADA@acme.example', name: 'Mallory', note: 'x' });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await stored('ada@acme.example')).toEqual(before);
    const all = await Promise.all(
      [1, 2, 3].map((i) => join({ email_address: 'at-once@acme.example', name: `${i}` })),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('400: what does not fit, without a count', async () => {
    for (const email_address of [
      ...[
        'ada',
        'a@b@c',
        'ada@acme.example\r\nBcc: all@acme.example',
        `${'a'.repeat(300)}@acme.example`,
        'a\u200bb@c.d',
      ],
    ])
      expect(await problemsOf(join({ email_address }))).toEqual({
        email_address: expect.stringMatching(/^(invalid_format|too_long)$/),
      });
    expect(await problemsOf(join({}))).toEqual({ email_address: 'required' });
    expect(await problemsOf(workspace.client().createWaitlistee({ body: {} as never }))).toEqual({
      waitlistee: 'required',
    });
    const long = { email_address: 'a@b.example', name: 'a'.repeat(256), company_name: 'a'.repeat(256) };
    expect(await problemsOf(join({ ...long, note: 'a'.repeat(20_001) }))).toEqual({
      ...{ name: 'too_long', company_name: 'too_long', note: 'too_long' },
    });
    const own = { email_address: 'a@b.example', status: 'invited', invited_at: null, created_at: null };
    expect(await problemsOf(join(own))).toEqual({
      ...{ status: 'not_allowed', invited_at: 'not_allowed', created_at: 'not_allowed' },
    });
    expect((await join({ email_address: 'fits@acme.example' })).status).toBe(200);
  });

  it('429 with Retry-After: the sixth in an hour, whatever headers say', async () => {
    for (let i = 0; i < 5; i++) await join({ email_address: `${i}@limit.example` });
    const failure = await failureOf(join({ email_address: 'six@limit.example' }));
    expect(failure).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await stored('six@limit.example')).toBeUndefined();
    const response = await raw(workspace.url, {
      method: 'POST',
      path: '/waitlistees',
      headers: [asJson, ['X-Forwarded-For', '203.0.113.9']],
      body: JSON.stringify({ waitlistee: { email_address: 'six@limit.example' } }),
    });
    expect([response.status, Number(response.headers['retry-after']) > 3_000]).toEqual([429, true]);
    workspace.setTime(new Date(workspace.ctx.clock().getTime() + 64 * 60_000));
    expect((await join({ email_address: 'six@limit.example' })).status).toBe(200);
    expect(await codeOf(join({}))).toBe('400 invalid_request');
  });
});
