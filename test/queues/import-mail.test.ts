import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runImport } from '#shared/domain/mail/imports/run.ts';
import { findImport, firstFailures } from '#shared/domain/mail/imports/store.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/import-mail.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { zipOf } from '../domain/mail/archives/archive-source.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { long, longIt, rounds } from '../support/long.ts';
import {
  eml,
  givenMailbox,
  importMailThroughApi,
  importThroughApi,
  listAllThreads,
} from '../support/mail.ts';
import { conversation, givenPendingImport } from '../support/pending-import.ts';
import { countRoundTrips } from '../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('the mail import job', () => {
  let workspace: Workspace;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    mailbox = await givenMailbox(workspace, workspace.ada);
  });

  const threads = () => listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });

  it('imports every message into its thread and ends its job', async () => {
    const counts = await importMailThroughApi(workspace, workspace.ada, mailbox, conversation('winch'));
    expect(counts).toMatchObject({
      status: 'complete',
      messages_total: 3,
      messages_imported: 3,
      messages_skipped: 0,
      messages_failed: 0,
      failures: [],
    });
    expect(await threads()).toMatchObject([{ subject: 'winch', message_count: 3 }]);
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  longIt('skips messages of the mailbox, and counts a duplicate in one archive once', async () => {
    const mail = conversation('twice');
    await importMailThroughApi(workspace, workspace.ada, mailbox, mail);
    const again = await importMailThroughApi(workspace, workspace.ada, mailbox, [
      ...mail,
      eml({ id: 'new@x' }),
      eml({ id: 'new@x' }),
    ]);
    expect(again).toMatchObject({
      messages_total: 5,
      messages_imported: 1,
      messages_skipped: 4,
      messages_failed: 0,
    });
  });

  longIt('stores one message for one Message-ID in two mailboxes', async () => {
    const grace = await givenMailbox(workspace, workspace.grace);
    const mail = conversation('shared');
    await importMailThroughApi(workspace, workspace.ada, mailbox, mail.slice(0, 2));
    const counts = await importMailThroughApi(workspace, workspace.grace, grace, mail.slice(1));
    expect(counts).toMatchObject({ messages_imported: 2, messages_skipped: 0 });
    const [mine] = await threads();
    const [hers] = await listAllThreads(workspace.grace.reader, { mailbox_id: grace });
    expect(hers?.id).toBe(mine?.id);
    expect([mine?.message_count, hers?.message_count]).toEqual([2, 2]);
  });

  it('reads a single .eml', async () => {
    const counts = await importThroughApi(
      workspace,
      workspace.ada,
      mailbox,
      eml({ id: 'single@x' }),
      'message/rfc822',
    );
    expect(counts).toMatchObject({ messages_total: 1, messages_imported: 1 });
  });

  longIt('keeps messages without Message-ID, Date, From or Subject, and recognizes them again', async () => {
    const bare = [
      eml({ id: null, subject: 'No id' }),
      eml({ id: 'no-date@x', date: null }),
      eml({ id: 'no-from@x', from: null }),
      eml({ id: 'no-subject@x' }),
    ];
    expect(await importMailThroughApi(workspace, workspace.ada, mailbox, bare)).toMatchObject({
      messages_imported: 4,
    });
    expect(await importMailThroughApi(workspace, workspace.ada, mailbox, bare)).toMatchObject({
      messages_skipped: 4,
    });
    expect(await threads()).toHaveLength(4);
  });

  it('counts garbage between messages as failed, with its place and reason', async () => {
    const [first, second] = conversation('garbage');
    const bytes = Buffer.concat([
      Buffer.from('this is no mailbox line\nnor this\n\n'),
      toMbox([first as Buffer]),
      Buffer.from('From nobody@x Mon Nov  2 10:00:00 2026\n\u0000\u0001 not a header\n\n'),
      toMbox([second as Buffer]),
    ]);
    const counts = await importThroughApi(workspace, workspace.ada, mailbox, bytes);
    expect(counts.messages_imported).toBe(2);
    expect(counts.messages_failed).toBeGreaterThan(0);
    expect(counts.messages_imported + counts.messages_failed).toBe(counts.messages_total);
    expect(counts.failures).toHaveLength(counts.messages_failed);
    for (const failure of counts.failures) expect(failure.reason).not.toBe('');
  });

  longIt(
    'survives broken charsets, over 300 attachments and file names that are paths',
    async () => {
      const parts = (n: number) =>
        `${Array.from({ length: n }, (_, i) => `--b\nContent-Type: text/plain; name="../../x${i}"\nContent-Disposition: attachment\n\n${i}\n`).join('')}--b--`;
      const mixed = ['Content-Type: multipart/mixed; boundary=b', 'MIME-Version: 1.0'];
      const [sent, kept] = long ? [301, 300] : [12, 12];
      const counts = await importMailThroughApi(workspace, workspace.ada, mailbox, [
        eml({
          id: 'charset@x',
          headers: ['Content-Type: text/plain; charset=no-such-charset'],
          text: 'caf\u00e9',
        }),
        eml({
          id: 'encoding@x',
          headers: ['Content-Type: text/plain', 'Content-Transfer-Encoding: base64'],
          text: '%%%',
        }),
        eml({ id: 'parts@x', headers: mixed, text: `--b\n\nsee the files\n${parts(sent)}` }),
        eml({ id: 'paths@x', headers: mixed, text: parts(3) }),
      ]);
      expect(counts).toMatchObject({ messages_imported: 4, messages_failed: 0, failures: [] });
      const [paths, many] = (await threads())
        .filter((thread) => thread.has_attachments)
        .toSorted((a, b) => (a.snippet ?? '').length - (b.snippet ?? '').length);
      const attachmentsOf = async (id: string | undefined) =>
        (await workspace.ada.reader.retrieveThread({ params: { id: id as string } })).body.thread
          .messages?.[0]?.attachments ?? [];
      const names = (await attachmentsOf(paths?.id)).map(({ file }) => file?.file_name);
      expect(names).toEqual(['x0', 'x1', 'x2']);
      expect(many?.snippet).toBe('see the files');
      expect(await attachmentsOf(many?.id)).toHaveLength(kept);
    },
    90_000,
  );

  it('keeps the raw mail', async () => {
    const [first] = conversation('raw');
    await importMailThroughApi(workspace, workspace.ada, mailbox, [first as Buffer]);
    const id = (await threads())[0]?.id as string;
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id } });
    const key = objectKeys.rawMail(workspace.account_id, body.thread.messages?.[0]?.id as string);
    expect(await bucketOf(workspace.ctx).size(key)).toBeGreaterThan(100);
  });

  longIt(
    'reopens a resolved thread and makes it unread when mail comes from somebody else, not for own mail',
    async () => {
      const [first, second] = conversation('reopen');
      await importMailThroughApi(workspace, workspace.ada, mailbox, [first as Buffer]);
      const [thread] = await threads();
      const key = keys.threadEntry(workspace.ada.user.id, thread?.id as string);
      const close = () =>
        workspace.table.update<ThreadEntry>(key, {
          set: { resolved: true, snooze_until: '2027-01-01T00:00:00.000Z' },
          remove: ['unread'],
        });
      await close();
      const own = {
        id: 'reopen-own@x',
        subject: 'Re: reopen',
        in_reply_to: 'reopen-1@x',
        from: 'ada@acme.example',
      };
      await importMailThroughApi(workspace, workspace.ada, mailbox, [eml(own)]);
      expect((await threads())[0]).toMatchObject({ read: true, resolved: true, message_count: 2 });
      await importMailThroughApi(workspace, workspace.ada, mailbox, [second as Buffer]);
      expect((await threads())[0]).toMatchObject({
        read: false,
        resolved: false,
        snooze_until: null,
        message_count: 3,
      });
    },
  );

  longIt('continues where its time was up', async () => {
    // A chunk has 200 messages, and those that exist already cost little.
    const [size, distinct] = [long ? 420 : 210, rounds(10, 420)];
    const mail = Array.from({ length: size }, (_, i) => {
      const name = i % distinct;
      return eml({ id: `part-${name}@x`, subject: `Part ${name}` });
    });
    const id = await givenPendingImport(workspace, mailbox, mail);
    const states: string[] = [];
    for (let state = ''; state !== 'done'; states.push(state))
      state = await runImport(workspace.ctx, id, () => true);
    expect(states).toEqual(long ? ['more', 'more', 'done'] : ['more', 'done']);
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'complete',
      messages_imported: distinct,
      messages_skipped: size - distinct,
    });
  });

  longIt('continues within an mbox in a zip where its time was up, and after damage in it', async () => {
    const mail = Array.from({ length: 205 }, (_, i) =>
      eml({ id: `zipped-${i % 5}@x`, subject: `Zip ${i % 5}` }),
    );
    const archive = zipOf([
      { name: 'Takeout/archive_browser.html', content: 'x' },
      { name: 'Takeout/Mail/All mail.mbox', content: toMbox(mail), crc: 7 },
      { name: 'Takeout/Mail/Sent.mbox', content: toMbox([eml({ id: 'sent@x', subject: 'Sent' })]) },
    ]);
    const id = await givenPendingImport(workspace, mailbox, [], { archive });
    expect(await runImport(workspace.ctx, id, () => true)).toBe('more');
    const { position } = (await findImport(workspace.table, id))!;
    expect(position).toMatchObject({ offset: 1, ordinal: 200, inner: expect.any(Number) });
    expect(await runImport(workspace.ctx, id, () => true)).toBe('done');
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'complete',
      messages_total: 207,
      messages_imported: 6,
      messages_skipped: 200,
      messages_failed: 1,
    });
    expect(await firstFailures(workspace.table, id)).toMatchObject([
      { ordinal: 205, name: 'Takeout/Mail/All mail.mbox', reason: 'corrupt' },
    ]);
  });

  longIt('counts thousands of files that are not mail at the cost of the listed failures', async () => {
    const photos = Array.from({ length: 3000 }, (_, i) => ({ name: `photos/${i}.jpg`, content: 'x' }));
    const mail = { name: 'last.eml', content: eml({ id: 'last@x', subject: 'Behind the photos' }) };
    const id = await givenPendingImport(workspace, mailbox, [], { archive: zipOf([...photos, mail]) });
    const { calls } = await countRoundTrips(workspace.table, () => runImport(workspace.ctx, id, () => false));
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'complete',
      messages_total: 3001,
      messages_imported: 1,
      messages_failed: 3000,
    });
    expect(calls.length).toBeLessThan(250);
    const { body } = await workspace.ada.api.retrieveMailImport({ params: { mailbox_id: mailbox, id } });
    expect(body.import.failures.map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
  });

  it('continues after failures when its time is up, and counts and lists each once', async () => {
    const text = Array.from(
      { length: 1150 },
      (_, i) => `From a@x Mon Nov  2 10:00:00 2026\nno header ${i}\n\n`,
    );
    const archive = Buffer.concat([
      Buffer.from(text.join('')),
      toMbox([eml({ id: 'end@x', subject: 'The end' })]),
    ]);
    const id = await givenPendingImport(workspace, mailbox, [], { archive });
    const states: string[] = [];
    for (let state = ''; state !== 'done'; states.push(state))
      state = await runImport(workspace.ctx, id, () => true);
    expect(states.length).toBeGreaterThan(2);
    expect(await findImport(workspace.table, id)).toMatchObject({
      messages_imported: 1,
      messages_failed: 1150,
    });
    expect(await firstFailures(workspace.table, id)).toHaveLength(100);
  });

  longIt('counts once when two workers have the same message', async () => {
    const mail = Array.from({ length: 30 }, (_, i) => eml({ id: `both-${i}@x`, subject: `Both ${i % 5}` }));
    const id = await givenPendingImport(workspace, mailbox, mail);
    const run = () => runImport(workspace.ctx, id, () => false);
    await Promise.allSettled([run(), run()]);
    await run();
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'complete',
      messages_imported: 30,
      messages_skipped: 0,
    });
    expect((await threads()).length).toBe(30);
  });

  longIt('is found by the sweep when its message was lost', async () => {
    const { config } = workspace.ctx;
    const urls = config.queue_urls;
    // What the imports before have left to it: indexes to sort.
    await sweepJobs(workspace.ctx);
    config.queue_urls = { 'import-mail': `${urls['import-mail']}-lost` };
    const id = await givenPendingImport(workspace, mailbox, conversation('lost'), { through_api: true });
    config.queue_urls = urls;
    // Before it is due, its message may still arrive.
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    workspace.setTime(new Date(Date.now() + 60 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBeGreaterThan(0);
    workspace.setTime(undefined);
    await expect
      .poll(async () => (await findImport(workspace.table, id))?.status, { timeout: 10_000 })
      .toBe('complete');
    expect(await threads()).toMatchObject([{ message_count: 3 }]);
  });

  it('reports only the messages of a batch that failed', async () => {
    const records = [
      'no json',
      JSON.stringify({ job_id: 'x', import_id: '0198c0de-0000-7000-8000-000000000001' }),
    ];
    expect(await deliverMessages(handler, records, 600_000)).toEqual({ failed: ['m0'] });
  });

  it('fails as a whole, and says so, when the upload is deleted', async () => {
    const id = await givenPendingImport(workspace, mailbox, conversation('gone'));
    const found = await findImport(workspace.table, id);
    await fetch(`${workspace.ctx.config.s3_endpoint}/test/${objectKeys.upload(found?.upload_id as string)}`, {
      method: 'DELETE',
    });
    expect(await runImport(workspace.ctx, id, () => false)).toBe('done');
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'failed',
      error: { code: 'upload_expired' },
    });
    expect(await openJobs(workspace.table)).toEqual([]);
  });
});
