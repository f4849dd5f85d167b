import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { mailedCode, mailsTo, sendOpenMail } from '../../support/outgoing-mail.ts';
import { countRoundTrips } from '../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /sessions/one_time_codes', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const newAddress = () => `${randomUUID()}@acme.example`;
  const ask = (email_address: unknown) =>
    workspace.client().createOneTimeCode({ body: { email_address } as never });
  /** The response, and what it took. */
  const calls = async (address: string) => {
    let response: unknown;
    workspace.setTime(new Date(Date.UTC(2060, 0, 1, 10, 30)));
    const cost = await countRoundTrips(workspace.table, async () => {
      const { status, body, headers } = await ask(address);
      response = [status, body, [...headers.keys()].toSorted()];
    });
    workspace.setTime(undefined);
    return { response, ...cost };
  };
  const stored = (address: string) => workspace.table.get(keys.oneTimeCode(address));

  it('200: the ok object, kept by nobody, and a mail with a code', async () => {
    const address = newAddress();
    const { status, body, headers } = await ask(address);
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await mailedCode(workspace, address)).toMatch(/^[0-9]{6}$/);
  });

  it('200: the same response and the same calls whether the address is known or not', async () => {
    const known = await calls(workspace.grace.user.email_address);
    expect(known).toEqual(await calls(newAddress()));
    expect(known.calls).toEqual(['UpdateItemCommand', 'GetItemCommand', 'TransactWriteItemsCommand']);
  });

  it('mails to the address in lower case, by which the code is stored', async () => {
    const address = `Ünal.${randomUUID()}@ACME.example`;
    await ask(` ${address} `);
    expect(await stored(address.toLowerCase())).toBeDefined();
    await sendOpenMail(workspace);
    expect(await mailsTo(workspace, address.toLowerCase())).toHaveLength(1);
  });

  it.each([
    ['nothing', undefined, 'required'],
    ['white space', ' ', 'required'],
    ['no address', 'ada', 'invalid_format'],
    ['an address and a copy', 'a@acme.example,b@acme.example', 'invalid_format'],
    ['an address with a name', 'Ada <a@acme.example>', 'invalid_format'],
    ['a quoted local part', '"a b"@acme.example', 'invalid_format'],
    ['a header', 'a@acme.example\r\nBcc: b@acme.example', 'invalid_format'],
    ['a line end within', 'a@acme\n.example', 'invalid_format'],
    ['a turned text', 'a\u202e@acme.example', 'invalid_format'],
    ['NUL', 'a\0@acme.example', 'invalid_format'],
    ['400 characters', `${'a'.repeat(60)}@${'b'.repeat(339)}`, 'too_long'],
    ['a number', 5, 'invalid'],
  ])('400: %s', async (_, sent, code) => {
    const before = (await openJobs(workspace.table)).length;
    expect(await problemsOf(ask(sent))).toEqual({ email_address: code });
    expect(await openJobs(workspace.table)).toHaveLength(before);
  });

  it('200: an address of 300 characters and one without a dot are addresses', async () => {
    for (const address of [`${'a'.repeat(60)}@${'b'.repeat(235)}.com`, 'a@b']) {
      await ask(address);
      await sendOpenMail(workspace);
      expect(await mailsTo(workspace, address)).toHaveLength(1);
    }
  });

  it('is another address when it only looks alike', async () => {
    const address = newAddress();
    const alike = address.replace('acme', '\u0430cme');
    await ask(address);
    await ask(alike);
    expect((await stored(address))?.PK).not.toBe((await stored(alike))?.PK);
    expect(await mailedCode(workspace, address)).not.toBe(undefined);
  });

  it.each(['invitation', 'closed'] as const)(
    '200: with sign-up by %s, the same response and calls, and a mail to users, and to the invited while they may sign up',
    async (sign_up) => {
      workspace.ctx.config.sign_up = sign_up;
      const { email_address } = workspace.hank.user;
      const [stranger, invited, late] = [newAddress(), newAddress(), newAddress()];
      await inviteToSignUp(workspace.table, invited, new Date());
      await inviteToSignUp(workspace.table, late, new Date(Date.now() - 14 * 86_400_000));
      const known = await calls(email_address.toUpperCase());
      for (const address of [stranger, invited.toUpperCase(), late])
        expect(await calls(address)).toEqual(known);
      expect(await sendOpenMail(workspace)).toBe(0);
      workspace.ctx.config.sign_up = 'open';
      expect((await mailsTo(workspace, email_address)).length).toBeGreaterThan(0);
      expect(await mailsTo(workspace, invited)).toHaveLength(sign_up === 'invitation' ? 1 : 0);
      for (const address of [stranger, late]) expect(await mailsTo(workspace, address)).toEqual([]);
      expect(await openJobs(workspace.table, 'send-mail')).toEqual([]);
    },
  );

  it('429: too many requests of one network, before the address is looked at', async () => {
    const { sign_in } = workspace.ctx.config;
    workspace.ctx.config.sign_in = { ...sign_in, requests_per_hour: 1 };
    workspace.setTime(new Date(Date.UTC(2061, 0, 2, 10)));
    const address = newAddress();
    await ask(address);
    const before = await stored(address);
    expect(await codeOf(ask(address))).toBe('429 rate_limited');
    workspace.ctx.config.sign_in = sign_in;
    expect(await stored(address)).toEqual(before);
  });

  it('429: the sixth in an hour, for a known address and an unknown one', async () => {
    workspace.setTime(new Date(Date.UTC(2060, 0, 2, 10)));
    for (const address of [workspace.linus.user.email_address, newAddress()]) {
      for (let i = 0; i < 5; i++) await ask(i % 2 ? address.toUpperCase() : address);
      const failure = await failureOf(ask(address));
      expect([failure.status, failure.code, failure.headers.get('retry-after')]).toEqual([
        429,
        'rate_limited',
        '3600',
      ]);
    }
    await sendOpenMail(workspace);
  });

  it('422: a service that sends no mail, and nothing is stored', async () => {
    const address = newAddress();
    const { mail } = workspace.ctx.config;
    workspace.ctx.config.mail = { ...mail, provider: 'none' };
    const code = await codeOf(ask(address));
    workspace.ctx.config.mail = mail;
    expect(code).toBe('422 mail_unavailable');
    expect(await stored(address)).toBeUndefined();
  });

  it('200: the queue does not respond; the sweep sends the message within minutes', async () => {
    const { config } = workspace.ctx;
    const before = { ...config };
    Object.assign(config, { queue_urls: { 'send-mail': 'http://127.0.0.1/queue' } });
    const sqs = mockClient(SQSClient).on(SendMessageCommand).rejects(new Error('away'));
    const address = newAddress();
    await ask(address);
    sqs.restore();
    Object.assign(config, before);
    const [job] = await openJobs(workspace.table, 'send-mail');
    expect((job?.due ?? 0) - Date.now()).toBeLessThanOrEqual(120_000);
    expect(await mailedCode(workspace, address)).toMatch(/^\d{6}$/);
  });
});
