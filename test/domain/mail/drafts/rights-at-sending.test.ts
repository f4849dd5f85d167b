import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { removeMailbox } from '#shared/domain/mail/threads/withdraw-mailbox.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { createDraft, messagesBySnippet, readDraft } from '../../../support/drafts.ts';
import { codeOf } from '../../../support/failures.ts';
import { uploadFile } from '../../../support/files.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { queueDraft, runSending, type SendingServers, startSending } from '../../../support/sending-mail.ts';
import type { TestUser, Workspace } from '../../../support/workspace.ts';

/** What a draft sends is what its user may read and do when it is sent, not when it was written. */
describe('a draft that waits while its user loses', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;

  beforeAll(async () => {
    ({ workspace, ada, servers, mailbox_id } = await startSending());
    ({ grace } = workspace);
  });
  afterAll(async () => {
    await servers.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    servers.taken.length = 0;
  });

  const to_email_addresses = ['priya@ferries.example'];
  const attached = async (file_id: string) => {
    const { id } = await createDraft(ada, { mailbox_id, to_email_addresses });
    await ada.api.attachToDraft({ params: { draft_id: id }, body: { attachment: { file_id } } });
    return id;
  };
  const send = (draft_id: string) => ada.api.sendDraft({ params: { draft_id }, body: {} });
  const onFile = (record_id: string) => ({ record_type: 'files' as const, record_id });
  const isLost = async (id: string) => {
    expect(await runSending(workspace)).toBe(0);
    expect(servers.taken).toEqual([]);
    const { status, last_error } = await readDraft(ada, id);
    expect([status, last_error?.code]).toEqual(['failed', 'provider_failed']);
    expect(last_error?.message).toContain('secret.pdf');
  };
  const secret = (user: TestUser) =>
    uploadFile(user, { visibility: 'private' }, { name: 'secret.pdf', bytes: 'Secret words' });

  longIt('the share of an attached file: it fails, and is sent once the file is detached', async () => {
    const file = await secret(grace);
    const share = { user_id: ada.user.id };
    const given = await grace.api.createShare({ params: onFile(file.id), body: { share } });
    const [waiting, before] = [await attached(file.id), await attached(file.id)];
    await send(before);
    await runSending(workspace);
    expect(servers.taken).toHaveLength(1);
    expect(servers.taken[0]?.raw).toContain(Buffer.from('Secret words').toString('base64'));
    servers.taken.length = 0;
    await send(waiting);
    await grace.api.deleteShare({ params: { ...onFile(file.id), id: given.body.share.id } });
    await isLost(waiting);
    const [attachment] = (await readDraft(ada, waiting)).attachments;
    await ada.api.detachFromDraft({ params: { draft_id: waiting, id: `${attachment?.id}` } });
    await send(waiting);
    await runSending(workspace);
    expect(servers.taken).toHaveLength(1);
    expect(servers.taken[0]?.raw).not.toContain(Buffer.from('Secret words').toString('base64'));
  });

  longIt(
    'an attached file that is deleted: nothing of it goes out, and it does once the file is restored',
    async () => {
      const file = await secret(ada);
      const id = await attached(file.id);
      await send(id);
      await ada.api.deleteFile({ params: { id: file.id } });
      await isLost(id);
      const record = { record_type: 'files' as const, record_id: file.id };
      await ada.api.restoreRecord({ params: record });
      await send(id);
      await runSending(workspace);
      expect(servers.taken).toHaveLength(1);
    },
  );

  longIt(
    'nothing: what came with a forwarded mail stays in the draft, also when the mail is gone',
    async () => {
      const pdf = [{ name: 'offer.pdf', type: 'application/pdf', content: '%PDF-1.4 offer' }];
      const mail = eml({ id: 'offer@x', subject: 'Offer', ...withFiles('<p>The offer</p>', pdf) });
      const archive = await givenMailbox(workspace, ada);
      await importMail(workspace, ada, archive, [mail]);
      const message = (await messagesBySnippet(ada)).get('The offer');
      const forward = { in_reply_to_message_id: message?.id, kind: 'forward', mailbox_id };
      const id = await queueDraft(ada, forward);
      await ada.session.deleteMailbox({ params: { id: archive }, query: { keep_threads: false } });
      for (const job of await openJobs<Job>(workspace.table, 'index-threads'))
        await removeMailbox(workspace.ctx, job, () => false);
      expect(await codeOf(ada.reader.retrieveThread({ params: { id: `${message?.thread_id}` } }))).toBe(
        '404 record_not_found',
      );
      expect(await runSending(workspace)).toBe(0);
      expect((await readDraft(ada, id)).status).toBe('sent');
      expect(servers.taken[0]?.raw).toContain('filename=offer.pdf');
    },
  );

  it('the account: nobody sends for who is deactivated, and the draft is there when the user is back', async () => {
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
    const id = await queueDraft(grace, { mailbox_id });
    const key = keys.user(grace.user.account_id, grace.user.id);
    const turn = (status: User['status']) => workspace.table.update<User>(key, { set: { status } });
    await turn('deactivated');
    expect(await runSending(workspace)).toBe(0);
    await turn('active');
    expect(servers.taken).toEqual([]);
    expect(await readDraft(grace, id)).toMatchObject({ status: 'draft', send_at: null });
    expect(await runSending(workspace)).toBe(0);
    expect(servers.taken).toEqual([]);
  });

  it('the right to send from a shared mailbox: 403 to queue, and what is queued fails', async () => {
    await giveMailbox(workspace, grace, mailbox_id, 'edit');
    const queued = await queueDraft(grace, { mailbox_id });
    const written = await createDraft(grace, { mailbox_id, to_email_addresses });
    await giveMailbox(workspace, grace, mailbox_id, 'view');
    expect(await codeOf(grace.api.sendDraft({ params: { draft_id: written.id }, body: {} }))).toBe(
      '403 permission_denied',
    );
    expect(await runSending(workspace)).toBe(0);
    expect(servers.taken).toEqual([]);
    expect((await readDraft(grace, queued)).last_error?.code).toBe('provider_failed');
  });
});
