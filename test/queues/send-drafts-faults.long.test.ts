import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { readDraft } from '../support/drafts.ts';
import { crashAfter } from '../support/faults.ts';
import { openJobs, sentTooOften } from '../support/jobs.ts';
import {
  deliverDrafts,
  givenSender,
  jobsOfDrafts,
  queueDraft,
  runSending,
  SendingServers,
} from '../support/sending-mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** docs/decisions/0074-sending-drafts.md: at most one mail, whenever its worker dies. */
describe('a draft whose worker dies', () => {
  let workspace: Workspace;
  let servers: SendingServers;
  let mailbox_id: string;
  const NAME = 'ada@acme.example';

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    servers = await new SendingServers().start();
    mailbox_id = await givenSender(workspace, workspace.ada, servers);
  });
  afterAll(async () => {
    workspace?.setTime(undefined);
    await servers?.stop();
    await workspace?.stop();
  });
  beforeEach(() => {
    servers.onTaken = () => {};
  });

  let minutes = 0;
  /** A worker that died holds its job for some minutes. */
  const later = () => workspace.setTime(new Date(Date.now() + (minutes += 20) * 60_000));

  async function toldOf(id: string): Promise<number> {
    const { body } = await workspace.ada.reader.listNotifications({ query: { slice: 'draft_failed' } });
    return body.collection.records.filter(({ payload }) => payload?.id === id).length;
  }

  /** What came of a draft whose worker died at this call. */
  async function killed(call: number) {
    servers.taken.length = 0;
    const id = await queueDraft(workspace.ada, { mailbox_id, subject: `Winter ${call}` });
    const jobs = await jobsOfDrafts(workspace);
    const death = crashAfter(workspace.table, call);
    await deliverDrafts(jobs).catch(() => undefined);
    death.remove();
    for (let round = 0; (await jobsOfDrafts(workspace)).length > 0 && round < 8; round++) {
      later();
      await runSending(workspace);
    }
    expect(await jobsOfDrafts(workspace), `${call}`).toEqual([]);
    const { status, last_error } = await readDraft(workspace.ada, id);
    const raw = servers.sent(NAME).filter((copy) => copy.raw.includes(`Message-ID: <${id}@acme.example>`));
    const counts = { taken: servers.taken.length, copies: raw.length, told: await toldOf(id) };
    return { hit: death.hit, status, code: last_error?.code ?? null, ...counts };
  }

  const sent = { status: 'sent', code: null, taken: 1, copies: 1, told: 0 };
  const failed = { status: 'failed', code: 'provider_failed', copies: 0, told: 1 };

  it('is sent once, or fails where nobody knows whether it was', { timeout: 300_000 }, async () => {
    const codes: (string | null)[] = [];
    for (let call = 1, hit = true; hit; call++) {
      const { hit: reached, ...result } = await killed(call);
      hit = reached;
      codes.push(result.code);
      if (result.status === 'sent') expect(result, `${call}`).toEqual(sent);
      else
        expect(
          [
            { ...failed, taken: 0 },
            { ...failed, taken: 1 },
          ],
          `${call}`,
        ).toContainEqual(result);
    }
    // Of all calls, two are between the first byte and what the server says.
    expect(codes.filter((code) => code !== null).length).toBeLessThanOrEqual(2);
    expect(codes.length).toBeGreaterThan(8);
    const readings = await openJobs<Job>(workspace.table, 'sync-mailboxes');
    expect(readings.map(({ body }) => body?.mailbox_id)).toEqual([mailbox_id]);
  });

  it('is sent once where the server keeps what it sends', { timeout: 300_000 }, async () => {
    servers.onTaken = () =>
      void servers.imap.users.get(NAME)?.add('Sent', Buffer.from(servers.taken.at(-1)?.raw ?? '', 'latin1'));
    for (let call = 1, hit = true; hit; call++) {
      const { hit: reached, ...result } = await killed(call);
      hit = reached;
      if (result.taken > 0) expect(result, `${call}`).toEqual(sent);
      else expect(result, `${call}`).toEqual({ ...failed, taken: 0 });
    }
  });

  describe('each time', () => {
    /** As after the last of many workers that died at this call. */
    async function givenUp(call: number): Promise<{ id: string; hit: boolean }> {
      servers.taken.length = 0;
      const id = await queueDraft(workspace.ada, { mailbox_id, subject: `Given up ${call}` });
      const jobs = await jobsOfDrafts(workspace);
      const death = crashAfter(workspace.table, call);
      await deliverDrafts(jobs).catch(() => undefined);
      death.remove();
      later();
      await sentTooOften(workspace.table, 'send-drafts');
      await sweep();
      return { id, hit: death.hit };
    }
    const sendAgain = async (draft_id: string) => {
      await workspace.ada.api.sendDraft({ params: { draft_id }, body: {} });
      await runSending(workspace);
    };

    it('has failed after its last worker, and is sent once when it is sent again', {
      timeout: 300_000,
    }, async () => {
      servers.onTaken = () =>
        void servers.imap.users
          .get(NAME)
          ?.add('Sent', Buffer.from(servers.taken.at(-1)?.raw ?? '', 'latin1'));
      for (let call = 1, hit = true; hit; call++) {
        const ended = await givenUp(call);
        hit = ended.hit;
        expect(await jobsOfDrafts(workspace), `${call}`).toEqual([]);
        const { status, last_error } = await readDraft(workspace.ada, ended.id);
        if (status !== 'sent') {
          expect([status, last_error?.code], `${call}`).toEqual(['failed', 'provider_failed']);
          expect(await toldOf(ended.id), `${call}`).toBe(1);
          await sendAgain(ended.id);
        }
        expect((await readDraft(workspace.ada, ended.id)).status, `${call}`).toBe('sent');
        expect(servers.taken.length, `${call}`).toBe(1);
      }
    });

    it('is not given up while its server wants no mail for long', async () => {
      const pause = new Date(Date.now() + 3_600_000 + minutes * 60_000).toISOString();
      await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id), {
        set: { sending_after: pause },
      });
      const id = await queueDraft(workspace.ada, { mailbox_id });
      await sentTooOften(workspace.table, 'send-drafts');
      await runSending(workspace);
      await sweep();
      expect(await readDraft(workspace.ada, id)).toMatchObject({ status: 'queued' });
      await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id), {
        remove: ['sending_after'],
      });
      await runSending(workspace);
      expect(await readDraft(workspace.ada, id)).toMatchObject({ status: 'sent' });
    });
  });
});
