import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LabelJob } from '#shared/domain/mail/label-sync/job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as syncLabels } from '../../../../functions/queues/sync-labels.ts';
import { messagesBySnippet, readDraft } from '../../../support/drafts.ts';
import { crashAfter, type Fault } from '../../../support/faults.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { eml } from '../../../support/mail.ts';
import { readMailbox } from '../../../support/mail-sync.ts';
import {
  givenSender,
  queueDraft,
  runSending,
  type SendingServers,
  startSending,
} from '../../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../../support/workspace.ts';

/** What is answered or forwarded here is so at the server of the mailbox. */

const NAME = 'ada@acme.example';

describe('a message that was answered', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
    await ada.api.updateMailbox({ params: { id: mailbox_id }, body: { mailbox: { label_sync: true } } });
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    servers.taken.length = 0;
    workspace.setTime(undefined);
  });

  const setMailbox = (set: Partial<Mailbox>) =>
    workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id), { set });
  let made = 0;
  /** One more message in the inbox, as it is at the server, and here. */
  const given = async (folder = 'INBOX') => {
    const text = `Question ${++made}?`;
    const user = servers.imap.users.get(NAME);
    const raw = eml({ id: `${made}@x`, subject: `Question ${made}`, text });
    const served = user?.add(folder, raw, { flags: ['Urgent'] });
    await readMailbox(workspace, ada, mailbox_id);
    const message = (await messagesBySnippet(ada)).get(text);
    if (!served || !message) throw new Error('The message is not there');
    return { served, message, raw };
  };
  const answer = async (id: string, draft: object = {}) => {
    const sent = await queueDraft(ada, { in_reply_to_message_id: id, mailbox_id, ...draft });
    await runSending(workspace);
    return sent;
  };
  const jobs = () => openJobs<LabelJob>(workspace.table, 'sync-labels');
  const runLabels = async () => {
    for (const { id, body } of await jobs()) await deliverMessages(syncLabels, [{ job_id: id, ...body }]);
  };

  longIt.each([
    ['answered', 'reply', '\\Answered'],
    ['answered', 'reply_all', '\\Answered'],
    ['forwarded', 'forward', '$Forwarded'],
  ])('is marked as %s after a %s was sent, and keeps its other flags', async (_, kind, flag) => {
    const { served, message } = await given();
    await answer(message.id, { kind });
    expect(servers.taken).toHaveLength(1);
    await runLabels();
    expect(served.flags).toEqual(new Set(['Urgent', flag]));
    expect(await jobs()).toEqual([]);
    const thread = await ada.reader.retrieveThread({ params: { id: message.thread_id } });
    expect(thread.body.thread.read).toBe(false);
  });

  longIt('is so on all of its copies, and where it was moved to', async () => {
    const user = servers.imap.users.get(NAME);
    user?.create('Ferries');
    const { served, message, raw } = await given();
    const copy = user?.add('Ferries', raw);
    await readMailbox(workspace, ada, mailbox_id);
    await answer(message.id);
    await runLabels();
    expect([served, copy].map((each) => each?.flags.has('\\Answered'))).toEqual([true, true]);
    const moved = await given();
    user?.move('INBOX', [moved.served.uid], 'Ferries');
    await answer(moved.message.id);
    await runLabels();
    expect(user?.folder('Ferries').messages.at(-1)?.flags.has('\\Answered')).toBe(true);
  });

  longIt('is told together with a changed flag, and both ways at once', async () => {
    const { served, message } = await given();
    await answer(message.id);
    await answer(message.id, { kind: 'forward' });
    await ada.api.flagThread({ params: { thread_id: message.thread_id } });
    await runLabels();
    expect(served.flags).toEqual(new Set(['Urgent', '\\Answered', '$Forwarded', '\\Flagged']));
    expect(servers.taken).toHaveLength(2);
  });

  longIt('is left alone where the owner took the mark away since', async () => {
    const { served, message } = await given();
    await answer(message.id);
    await runLabels();
    servers.imap.users
      .get(NAME)
      ?.folder('INBOX')
      .flag(served.uid, { remove: ['\\Answered'] });
    await readMailbox(workspace, ada, mailbox_id);
    await ada.api.markThreadRead({ params: { thread_id: message.thread_id } });
    await runLabels();
    expect(served.flags).toEqual(new Set(['Urgent', '\\Seen']));
  });

  longIt('is marked once its server is back; nothing is sent a second time', async () => {
    const { served, message } = await given();
    const { mail_server: there } = await setMailbox({ status: 'active' });
    if (!there) throw new Error('The mailbox has no server');
    const id = await queueDraft(ada, { in_reply_to_message_id: message.id, mailbox_id });
    await runSending(workspace);
    expect((await readDraft(ada, id)).status).toBe('sent');
    await setMailbox({ mail_server: { ...there, imap: { ...there.imap, port: 9 } } });
    await runLabels();
    expect(served.flags.has('\\Answered')).toBe(false);
    expect(await jobs()).toHaveLength(1);
    await setMailbox({ mail_server: there });
    await runLabels();
    expect(served.flags.has('\\Answered')).toBe(true);
    expect(servers.taken).toHaveLength(1);
  });

  longIt.each([
    ['while label_sync is off', { label_sync: false }],
    ['by a mailbox that is no longer connected', { mail_server: undefined }],
  ])('is not marked %s', async (_, set) => {
    const { served, message } = await given();
    const id = await queueDraft(ada, { in_reply_to_message_id: message.id, mailbox_id });
    const before = await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, mailbox_id));
    if ('label_sync' in set) await setMailbox({ label_sync: false });
    await runSending(workspace);
    expect((await readDraft(ada, id)).status).toBe('sent');
    if (!('label_sync' in set)) await workspace.table.put({ ...before, mail_server: null } as never);
    await runLabels();
    expect(served.flags).toEqual(new Set(['Urgent']));
    await workspace.table.put(before as Mailbox);
    for (const { PK, SK } of await jobs()) await workspace.table.delete({ PK, SK });
  });

  it('is marked by the mailbox alone that sent the answer and has it', async () => {
    const { served, message } = await given();
    const other = await givenSender(workspace, ada, servers, 'lovelace@acme.example');
    await answer(message.id, { mailbox_id: other });
    expect(servers.taken).toHaveLength(1);
    expect(await jobs()).toEqual([]);
    expect(served.flags).toEqual(new Set(['Urgent']));
  });

  longIt(
    'is marked and sent once, wherever the worker dies after the mail was taken',
    {
      timeout: 120_000,
    },
    async () => {
      const HOUR = 3_600_000;
      for (let calls = 1; calls <= 24; calls += STRIDE) {
        // Each reads all threads, and a key has 600 requests in a minute.
        const now = Date.now() + 2 * calls * HOUR;
        workspace.setTime(new Date(now));
        servers.taken.length = 0;
        const { served, message } = await given();
        await queueDraft(ada, { in_reply_to_message_id: message.id, mailbox_id });
        let fault: Fault | undefined;
        servers.onTaken = () => {
          fault = crashAfter(workspace.table, calls);
        };
        await runSending(workspace);
        fault?.remove();
        servers.onTaken = () => {};
        workspace.setTime(new Date(now + HOUR));
        await runSending(workspace);
        await runLabels();
        expect([calls, servers.taken.length, served.flags.has('\\Answered')]).toEqual([calls, 1, true]);
      }
    },
  );
});
