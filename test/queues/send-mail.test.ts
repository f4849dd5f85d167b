import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCode } from '#shared/domain/identity/codes/create.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { type Letter, MailRefused, type SendsMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/send-mail.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { crashAfter, failCall } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { linesOf, logged } from '../support/logged.ts';
import { mailsTo } from '../support/outgoing-mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** docs/decisions/0060-mail-that-the-service-sends.md */
describe('the queue send-mail', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    workspace.ctx.stand_ins = {};
    for (const { PK, SK } of await openJobs(workspace.table)) await workspace.table.delete({ PK, SK });
  });
  afterAll(() => workspace.stop());

  /** A mail server behind the port, which does what the test says. */
  const server = (take: (letter: Letter) => Promise<void> = async () => {}) => {
    const letters: Letter[] = [];
    const port: SendsMail = {
      sendMail: async (_, letter) => {
        letters.push(letter);
        await take(letter);
      },
    };
    workspace.ctx.stand_ins = { ...port };
    return letters;
  };
  const enqueued = async (): Promise<Job> => {
    await createCode(workspace.ctx, `${randomUUID()}@acme.example`);
    return (await openJobs(workspace.table, 'send-mail'))[0] as Job;
  };
  const deliver = (...jobs: Job[]) =>
    deliverMessages(
      handler,
      jobs.map(({ id }) => ({ job_id: id })),
    );
  const isOpen = async ({ id }: Job) => (await workspace.table.get(keys.job(id))) !== undefined;

  it('sends once and completes the job; a second delivery sends nothing', async () => {
    const letters = server();
    const job = await enqueued();
    expect(await deliver(job)).toEqual({ failed: [] });
    expect(await deliver(job)).toEqual({ failed: [] });
    expect(letters).toHaveLength(1);
    expect(await isOpen(job)).toBe(false);
  });

  it('sends once when it is delivered several times at once', async () => {
    const refused = Promise.withResolvers<void>();
    const letters = server(() => refused.promise);
    const job = await enqueued();
    let returned = 0;
    const delivery = async () => {
      const outcome = await deliver(job);
      if (++returned === 2) refused.resolve();
      return outcome;
    };
    const outcomes = await Promise.all([delivery(), delivery(), delivery()]);
    expect(letters).toHaveLength(1);
    // The others come again, to find it complete.
    expect(outcomes.flatMap(({ failed }) => failed)).toHaveLength(2);
    expect(await deliver(job)).toEqual({ failed: [] });
  });

  it('tries again, with a code that works, after a failure', async () => {
    let fails = true;
    const letters = server(async () => {
      if (fails) throw new Error('busy');
    });
    const job = await enqueued();
    expect((await deliver(job)).failed).toHaveLength(1);
    expect(await isOpen(job)).toBe(true);
    fails = false;
    expect((await deliver(job)).failed).toEqual([]);
    expect(letters).toHaveLength(2);
    expect(await isOpen(job)).toBe(false);
  });

  it('gives up on a mail that is refused for good, and says nothing about its recipient', async () => {
    const job = await enqueued();
    const { email_address } = (job.body as { data: { email_address: string } }).data;
    server(async () => {
      throw new MailRefused('EENVELOPE 550');
    });
    const written = await logged(async () => expect(await deliver(job)).toEqual({ failed: [] }));
    expect(linesOf(written, 'mail refused')).toMatchObject([
      { mail: 'one_time_code', reason: 'EENVELOPE 550' },
    ]);
    expect(written).not.toContain(email_address.split('@')[0]);
    expect(await isOpen(job)).toBe(false);
  });

  it.each(['before', 'after'] as const)(
    'loses no mail when a call fails, %s it is executed',
    async (when) => {
      for (let call = 1; call <= 3; call++) {
        const letters = server();
        const job = await enqueued();
        const fault = failCall(workspace.table, call, when);
        const { failed } = await deliver(job);
        fault.remove();
        expect(fault.hit).toBe(true);
        // A worker that could not free the job leaves it to the next one after its time.
        workspace.setTime(new Date(Date.now() + 66_000));
        expect(await deliver(job)).toEqual({ failed: [] });
        workspace.setTime(undefined);
        expect(failed).toHaveLength(1);
        expect(letters.length).toBeGreaterThanOrEqual(1);
        // Twice only when it was sent and could not be completed.
        expect(letters.length).toBe(call === 3 && when === 'before' ? 2 : 1);
        expect(await isOpen(job)).toBe(false);
      }
    },
  );

  it('sends after a worker was killed between any two calls', async () => {
    for (let call = 1; call <= 2; call++) {
      const letters = server();
      const job = await enqueued();
      const fault = crashAfter(workspace.table, call);
      await deliver(job);
      fault.remove();
      workspace.setTime(new Date(Date.now() + 66_000));
      expect(await deliver(job)).toEqual({ failed: [] });
      workspace.setTime(undefined);
      expect(letters.length).toBeGreaterThanOrEqual(1);
    }
  });

  it('is given up by the sweep after a day without a server', async () => {
    const job = await enqueued();
    await workspace.table.update<Job>(keys.job(job.id), { set: { sends: 6, due: 0 } });
    const written = await logged(() => sweep());
    expect(linesOf(written, 'mail given up')).toMatchObject([{ mail: 'one_time_code' }]);
    expect(await isOpen(job)).toBe(false);
  });

  it('writes whole files that only their owner reads, named by time and id', async () => {
    const job = await enqueued();
    const { email_address } = (job.body as { data: { email_address: string } }).data;
    await deliver(job);
    const [name = '', ...others] = await readdir(workspace.outbox);
    expect([name, others]).toEqual([
      expect.stringMatching(
        new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z-${job.id}\\.eml$`),
      ),
      [],
    ]);
    expect((await stat(join(workspace.outbox, name))).mode & 0o777).toBe(0o600);
    expect(await mailsTo(workspace, email_address)).toHaveLength(1);
  });
});
