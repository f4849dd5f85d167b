import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailboxAddresses } from '#shared/domain/mail/mailboxes/addresses.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { removeMailbox } from '#shared/domain/mail/threads/withdraw-mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, draftsOf, messagesBySnippet, readDraft } from '../../../support/drafts.ts';
import { crashAfter } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { eml, importMail } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import {
  deliverDrafts,
  givenSender,
  jobsOfDrafts,
  queueDraft,
  runSending,
  SendingServers,
} from '../../../support/sending-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('drafts of a deleted mailbox', { timeout: 120_000 }, () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  let servers: SendingServers;
  let [mailbox_id, other] = ['', ''];
  const LATER = { send_at: '2027-02-01T09:00:00Z' };
  const to = { to_email_addresses: ['priya@ferries.example'] };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, linus } = workspace);
    servers = await new SendingServers().start();
    other = await givenSender(workspace, ada, servers);
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });
  beforeEach(async () => {
    mailbox_id = await connect();
    servers.taken.length = 0;
    servers.turns.length = 0;
    servers.onTaken = () => {};
  });

  /** A mailbox with an address that nobody else has connected. */
  const connect = async () => {
    const { table, account_id } = workspace;
    const id = await givenSender(workspace, ada, servers);
    const email_address = `ada-${id}@acme.example`;
    await table.update<Mailbox>(keys.mailbox(account_id, id), { set: { email_address } });
    await table.transact([mailboxAddresses.take(account_id, email_address, id)]);
    return id;
  };
  const remove = () => ada.session.deleteMailbox({ params: { id: mailbox_id } });
  const jobs = async () =>
    (await openJobs(workspace.table, 'index-threads')).filter(
      ({ body }) => (body as { deleted_mailbox_id?: string }).deleted_mailbox_id === mailbox_id,
    );
  const finish = async () => {
    for (const job of await jobs()) await removeMailbox(workspace.ctx, job, () => false);
  };
  const send = (draft_id: string, body = {}, user = ada) =>
    user.api.sendDraft({ params: { draft_id }, body });
  const scheduled = async (user = ada) => {
    const { id } = await createDraft(user, { mailbox_id, subject: 'Winter', ...to });
    await send(id, LATER, user);
    return id;
  };
  const told = async ({ reader }: TestUser, id: string) => {
    const { body } = await reader.listNotifications({ query: { slice: 'draft_failed' } });
    return body.collection.records.filter(({ payload }) => payload?.id === id).length;
  };
  const failed = async (user: TestUser, id: string) => {
    const last_error = { code: 'provider_failed' };
    expect(await readDraft(user, id)).toMatchObject({ status: 'failed', send_at: null, last_error });
    expect(await told(user, id)).toBe(1);
  };

  longIt('stay with what they say, and go out by another mailbox', async () => {
    const { id } = await createDraft(ada, { mailbox_id, subject: 'Winter', body: 'At noon.', ...to });
    await remove();
    await finish();
    expect((await draftsOf(ada)).map((draft) => draft.id)).toContain(id);
    await expect(send(id)).rejects.toMatchObject({ status: 422, code: 'outbound_disabled' });
    const change = (draft: object) => ada.api.updateDraft({ params: { id }, body: { draft } });
    expect((await change({ subject: 'Summer' })).body.draft).toMatchObject({ subject: 'Summer', mailbox_id });
    await expect(createDraft(ada, { mailbox_id, ...to })).rejects.toMatchObject({ status: 404 });
    expect((await change({ mailbox_id: other })).body.draft).toMatchObject({ mailbox_id: other });
    await send(id);
    await runSending(workspace);
    expect(await readDraft(ada, id)).toMatchObject({ status: 'sent', subject: 'Summer', body: 'At noon.' });
    expect(await told(ada, id)).toBe(0);
  });

  longIt('fail at once when they wait to be sent, and each user is told once', async () => {
    await giveMailbox(workspace, linus, mailbox_id, 'edit');
    const [own, theirs] = [await scheduled(), await scheduled(linus)];
    const elsewhere = (await createDraft(ada, { mailbox_id: other, ...to })).id;
    await send(elsewhere, LATER);
    await remove();
    await finish();
    await finish();
    await failed(ada, own);
    await failed(linus, theirs);
    expect(await readDraft(ada, elsewhere)).toMatchObject({ status: 'queued' });
  });

  it('fail once whoever comes first: their time, or the end of the mailbox', async () => {
    const id = await queueDraft(ada, { mailbox_id });
    await remove();
    await runSending(workspace);
    await failed(ada, id);
    await finish();
    await failed(ada, id);
    expect(servers.taken).toEqual([]);
  });

  it('fail once when both come at once', async () => {
    const id = await scheduled();
    await remove();
    await Promise.all([
      finish(),
      finish(),
      ada.api.cancelDraft({ params: { draft_id: id } }).catch(() => {}),
    ]);
    const { status } = await readDraft(ada, id);
    expect([status, await told(ada, id)]).toEqual(status === 'draft' ? ['draft', 0] : ['failed', 1]);
  });

  longIt(
    'are sent when the server takes them as the mailbox ends, and nothing signs in any more',
    async () => {
      const id = await queueDraft(ada, { mailbox_id });
      let removed: Promise<unknown> = Promise.resolve();
      const held = new Promise<void>((resolve) => {
        servers.onTaken = () => {
          removed = remove().then(finish).then(resolve, resolve);
        };
      });
      servers.turns.push('take silently');
      await runSending(workspace);
      await Promise.all([held, removed]);
      await runSending(workspace);
      expect(servers.taken).toHaveLength(1);
      const { status } = await readDraft(ada, id);
      expect(['sent', 'failed']).toContain(status);
      expect(await told(ada, id)).toBe(status === 'failed' ? 1 : 0);
      expect(await jobsOfDrafts(workspace)).toEqual([]);
    },
  );

  longIt('on the wire as their worker ended say that nobody knows', async () => {
    const id = await queueDraft(ada, { mailbox_id });
    const before = await jobsOfDrafts(workspace);
    let crash = crashAfter(workspace.table, Number.POSITIVE_INFINITY);
    servers.onTaken = () => {
      crash = crashAfter(workspace.table, 0);
    };
    await deliverDrafts(before);
    crash.remove();
    servers.onTaken = () => {};
    await remove();
    await finish();
    workspace.setTime(new Date(Date.now() + 3_600_000));
    await runSending(workspace);
    workspace.setTime(undefined);
    expect(servers.taken).toHaveLength(1);
    await failed(ada, id);
  });

  longIt('fail when the work was cut off anywhere', async () => {
    for (let call = 1, cut = true; cut; call += STRIDE) {
      mailbox_id = await connect();
      const id = await scheduled();
      await remove();
      const crash = crashAfter(workspace.table, call);
      await finish().catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      await finish();
      await failed(ada, id);
    }
  });

  longIt('answer kept mail through a mailbox that is there', async () => {
    const mail = eml({ id: `kept-${mailbox_id}@x`, subject: 'Kept', text: `Kept ${mailbox_id}` });
    await importMail(workspace, ada, mailbox_id, [mail]);
    const { id } = (await messagesBySnippet(ada)).get(`Kept ${mailbox_id}`) as { id: string };
    await remove();
    const answer = { in_reply_to_message_id: id };
    await expect(createDraft(ada, answer)).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await createDraft(ada, { ...answer, mailbox_id: other })).toMatchObject({ mailbox_id: other });
    await importMail(workspace, ada, other, [mail]);
    expect(await createDraft(ada, answer)).toMatchObject({ mailbox_id: other });
  });
});
