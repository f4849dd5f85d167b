import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkCode, useCode } from '#shared/domain/identity/codes/check.ts';
import { createCode } from '#shared/domain/identity/codes/create.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { failNth } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { mailedCode, mailsTo, sendOpenMail } from '../../../support/outgoing-mail.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const MINUTE = 60_000;

/** docs/decisions/0061-one-time-codes.md */
describe('one-time codes', () => {
  let workspace: Workspace;
  const start = Date.UTC(2060, 0, 1, 10);
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const newAddress = () => `${randomUUID()}@acme.example`;
  const at = (minutes: number) => workspace.setTime(new Date(start + minutes * MINUTE));
  const check = (email_address: string, code: string) => checkCode(workspace.ctx, { email_address, code });
  const refused = () => new Error('used');
  const use = async (email_address: string, code: string) => {
    const checked = await check(email_address, code);
    if (!checked) throw refused();
    await workspace.table.transact([useCode(checked, refused)]);
  };
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const given = async (address = newAddress()) => {
    await createCode(workspace.ctx, address);
    return { address, code: await mailedCode(workspace, address) };
  };
  const tries = async (address: string) =>
    (await workspace.table.get(keys.oneTimeCode(address))) as { tries?: number };

  it('comes by mail, six digits on a line of its own, and works until it is used', async () => {
    const { address, code } = await given();
    const [mail] = await mailsTo(workspace, address);
    expect(mail?.text?.split('\n')).toContain(code);
    expect(mail?.html).toContain(`>${code}<`);
    expect(mail?.subject).not.toContain(code);
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    for (let i = 0; i < 7; i++) expect(await check(address, code)).toBeDefined();
    await use(address, code);
    await expect(use(address, code)).rejects.toThrow('used');
    expect(await check(address, code)).toBeUndefined();
  });

  it('is stored as a hash, with a time to live', async () => {
    at(0);
    const { address, code } = await given();
    const stored = await workspace.table.get(keys.oneTimeCode(address));
    expect(JSON.stringify(stored)).not.toMatch(new RegExp(`"${code}"|${address}`));
    expect(stored).toMatchObject({ expires_epoch: start / 1_000 + 3_600 });
    expect(await openJobs(workspace.table, 'send-mail')).toEqual([]);
  });

  it.each([
    ['another address', (code: string) => [newAddress(), code]],
    [
      'another spelling of the address',
      (code: string, address: string) => [address.replace('acme', 'acmе'), code],
    ],
    [
      'full-width digits',
      (code: string, address: string) => [
        address,
        code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      ],
    ],
    [
      'Arabic digits',
      (code: string, address: string) => [
        address,
        code.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
      ],
    ],
    ['less than the code', (code: string, address: string) => [address, code.slice(0, 5)]],
    ['more than the code', (code: string, address: string) => [address, `${code}\n`]],
    ['nothing', (_: string, address: string) => [address, '']],
    ['another code', (code: string, address: string) => [address, wrong(code)]],
  ])('is not %s', async (_, change) => {
    const { address, code } = await given();
    const [sent_address, sent] = change(code, address) as [string, string];
    expect(await check(sent_address, sent)).toBeUndefined();
    expect(await check(address, code)).toBeDefined();
  });

  it('works for ten minutes after it was mailed', async () => {
    at(0);
    const { address, code } = await given();
    at(9.99);
    expect(await check(address, code)).toBeDefined();
    at(10);
    expect(await check(address, code)).toBeUndefined();
  });

  it('ends with the fifth wrong try', async () => {
    const { address, code } = await given();
    for (let i = 0; i < 4; i++) expect(await check(address, wrong(code))).toBeUndefined();
    expect(await check(address, code)).toBeDefined();
    expect(await check(address, wrong(code))).toBeUndefined();
    expect(await check(address, code)).toBeUndefined();
  });

  it('is compared five times at most by any number of requests at once', async () => {
    const { address, code } = await given();
    await Promise.all(Array.from({ length: reduced(100) }, () => check(address, wrong(code))));
    expect((await tries(address)).tries).toBe(5);
    expect(await check(address, code)).toBeUndefined();
  });

  it('is used by exactly one of many requests at once', async () => {
    const { address, code } = await given();
    const checked = await check(address, code);
    const outcomes = await Promise.allSettled(
      Array.from({ length: reduced(40) }, () => workspace.table.transact([useCode(checked!, refused)])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
    expect(new Set(reasons)).toEqual(new Set(['used']));
  });

  it('ends when a newer one is asked for, before that is mailed', async () => {
    const { address, code } = await given();
    const checked = await check(address, code);
    await createCode(workspace.ctx, address);
    expect(await check(address, code)).toBeUndefined();
    await expect(workspace.table.transact([useCode(checked!, refused)])).rejects.toThrow('used');
    const newer = await mailedCode(workspace, address);
    expect(await check(address, newer)).toBeDefined();
  });

  it('is asked for five times an hour, known or not, and says when again', async () => {
    for (const address of [newAddress(), workspace.ada.user.email_address.replace('ada', randomUUID())]) {
      for (const minute of [0, 10, 20, 30, 40]) {
        at(minute);
        await createCode(workspace.ctx, address);
      }
      at(50);
      const error = await createCode(workspace.ctx, address).catch((failure) => failure);
      expect(error).toBeInstanceOf(ApiError);
      expect([error.status, error.headers['Retry-After']]).toEqual([429, '600']);
      at(60);
      await createCode(workspace.ctx, address);
      await expect(createCode(workspace.ctx, address)).rejects.toThrow('The limit is 5 codes');
    }
    // Only the newest one of each address is mailed.
    await sendOpenMail(workspace);
  });

  longIt('is asked for five times by twenty requests at once', async () => {
    const address = newAddress();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => createCode(workspace.ctx, address)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await sendOpenMail(workspace)).toBe(0);
    expect(await mailsTo(workspace, address)).toHaveLength(1);
  });

  it('still counts the codes of the hour once one is used', async () => {
    at(0);
    const { address, code } = await given();
    await use(address, code);
    for (let i = 0; i < 4; i++) await createCode(workspace.ctx, address);
    await expect(createCode(workspace.ctx, address)).rejects.toThrow('The limit is 5 codes');
  });

  it('is not mailed when nobody waits for it any more', async () => {
    at(0);
    const address = newAddress();
    await createCode(workspace.ctx, address);
    at(10);
    expect(await sendOpenMail(workspace)).toBe(0);
    expect(await mailsTo(workspace, address)).toEqual([]);
    expect(await openJobs(workspace.table, 'send-mail')).toEqual([]);
  });

  longIt('can be asked for again after a failure of any call, and the newest one works', async () => {
    for (let nth = 0, hit = true; hit; nth++) {
      const address = newAddress();
      const fault = failNth(workspace.table, nth);
      await createCode(workspace.ctx, address).catch(() => {});
      ({ hit } = fault);
      fault.remove();
      const { code } = await given(address);
      expect(await mailsTo(workspace, address)).toHaveLength(1);
      expect(await check(address, code)).toBeDefined();
    }
  });

  it('loses a try at most when a call fails while it is checked', async () => {
    for (let nth = 0, hit = true; hit; nth++) {
      const { address, code } = await given();
      const fault = failNth(workspace.table, nth);
      await check(address, code).catch(() => {});
      ({ hit } = fault);
      fault.remove();
      expect((await tries(address)).tries).toBeLessThanOrEqual(1);
      await use(address, code);
    }
  });

  it('of before a rotation of the secret works after it', async () => {
    const { address, code } = await given();
    const { config } = workspace.ctx;
    const rotated = {
      ...workspace.ctx,
      now: new Date(),
      config: { ...config, cursor_keys: ['new', ...config.cursor_keys] },
    };
    expect(await checkCode(rotated, { email_address: address, code })).toBeDefined();
    const other = { ...rotated, config: { ...config, cursor_keys: ['new'] } };
    expect(await checkCode(other, { email_address: address, code })).toBeUndefined();
  });

  it('costs the same calls whether the address is known or not', async () => {
    const ask = (address: string) =>
      countRoundTrips(workspace.table, () => createCode(workspace.ctx, address));
    const known = await ask(workspace.hank.user.email_address);
    expect(known).toEqual(await ask(newAddress()));
    expect(known).toEqual({ calls: ['GetItemCommand', 'TransactWriteItemsCommand'], depth: 2 });
  });
});
