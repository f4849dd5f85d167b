import { afterAll, beforeAll, expect, it } from 'vitest';
import { copiesOfMessage } from '#shared/domain/mail/sync/copies.ts';
import type { MailCopy } from '#shared/domain/mail/sync/copy.ts';
import { foldersOf } from '#shared/domain/mail/sync/progress.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../support/faults.ts';
import { STRIDE } from '../support/long.ts';
import { eml } from '../support/mail.ts';
import { givenConnected, readMailbox, runMailSync, serveMail, subjectsIn } from '../support/mail-sync.ts';
import { StoredMail } from '../support/stored-mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;

beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(async () => {
  workspace?.setTime(undefined);
  await workspace?.stop();
});

async function copiesIn(mailbox: string): Promise<MailCopy[]> {
  const folders = await foldersOf(workspace.table, mailbox);
  const all = await Promise.all(
    folders.map(({ id }) => workspace.table.all<MailCopy>(keys.mailCopy(id, '', 0).PK, 'COPY#')),
  );
  return all.flat();
}

let minutes = 0;
/** False when the run ended before that call. */
async function killed(call: number): Promise<boolean> {
  const { ada, account_id, table } = workspace;
  const server = new StoredMail()
    .folder('INBOX', { role: 'inbox' })
    .folder('Work')
    .folder('Archive', { role: 'archive' });
  serveMail(workspace, server);
  const mail = (name: string) => eml({ id: `${name}-${call}@x`, subject: name });
  for (const name of ['a', 'moved', 'gone']) server.add('INBOX', mail(name));
  for (const name of ['b', 'c']) server.add('Work', mail(name));
  const mailbox = await givenConnected(workspace, ada);
  await readMailbox(workspace, ada, mailbox);
  server.add('INBOX', mail('new'));
  server.add('INBOX', Buffer.from('not a message'));
  server.move('INBOX', 2, 'Archive');
  server.remove('INBOX', 3);
  server.renumber('Work');
  await ada.api.syncMailbox({ params: { mailbox_id: mailbox }, body: { full: true } });
  const death = crashAfter(table, call);
  await runMailSync(workspace, 900_000, 1).catch(() => undefined);
  death.remove();
  // A worker that died holds its job for some minutes.
  workspace.setTime(new Date(Date.now() + (minutes += 20) * 60_000));
  await runMailSync(workspace);
  const after = await readMailbox(workspace, ada, mailbox);
  expect(await subjectsIn(ada, mailbox), `${call}`).toEqual(['a', 'b', 'c', 'moved', 'new']);
  expect(after, `${call}`).toMatchObject({ messages_imported: 5, messages_failed: 1, account_id });
  const copies = await copiesIn(mailbox);
  expect(copies, `${call}`).toHaveLength(6);
  for (const { message_id } of copies.filter(({ outcome }) => outcome === 'imported'))
    expect(await copiesOfMessage(table, mailbox, `${message_id}`), `${call}`).toHaveLength(1);
  const params = { mailbox_id: mailbox };
  const { folders, recent_failures } = (await ada.reader.retrieveSyncReport({ params })).body.sync_report;
  expect(folders.map((each) => [each.name, each.messages_at_provider, each.messages_imported])).toEqual([
    ['INBOX', 3, 2],
    ['Archive', 1, 1],
    ['Work', 2, 2],
  ]);
  expect(recent_failures, `${call}`).toHaveLength(1);
  return death.hit;
}

it('a mailbox is read as if no worker had died, whenever one does', { timeout: 900_000 }, async () => {
  for (let call = 1; await killed(call); call += STRIDE);
});
