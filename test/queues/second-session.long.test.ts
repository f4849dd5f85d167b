import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { handler as sendDrafts } from '../../functions/queues/send-drafts.ts';
import { handler as syncLabels } from '../../functions/queues/sync-labels.ts';
import { connectMailbox } from '../support/connected.ts';
import { readDraft } from '../support/drafts.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { eml, listAllThreads } from '../support/mail.ts';
import { readMailbox } from '../support/mail-sync.ts';
import { jobsOfDrafts, queueDraft, SendingServers } from '../support/sending-mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** At most two connections to the server of a mailbox: one that reads, one that writes. */
describe('workers that have much to write to one mailbox', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let servers: SendingServers;
  let mailbox_id: string;
  const MESSAGES = 12;
  const NAME = 'ada@acme.example';

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
    workspace.ctx.config.mail_private_hosts = true;
    servers = await new SendingServers().start();
    const password = 'right password';
    servers.imap.user(NAME, password);
    const login = { host: '127.0.0.1', tls: false, username: NAME, password };
    const imap = { ...login, port: servers.imap.port };
    const { body } = await connectMailbox(ada, NAME, { imap, smtp: { ...login, port: servers.smtp_port } });
    mailbox_id = body.mailbox.id;
    for (let i = 0; i < MESSAGES; i++)
      servers.imap.users.get(NAME)?.add('INBOX', eml({ id: `turn-${i}@x`, subject: `Turn ${i}` }));
    await readMailbox(workspace, ada, mailbox_id);
  });
  afterAll(async () => {
    await servers?.stop();
    await workspace?.stop();
  });
  beforeEach(() => {
    servers.imap.connections.most = 0;
  });

  const inbox = () => servers.imap.users.get(NAME)?.folder('INBOX').messages ?? [];
  const seen = () => inbox().filter(({ flags }) => flags.has('\\Seen')).length;
  const session = () => workspace.table.get<Item & { worker: string }>(keys.mailSession(mailbox_id));
  const mark = async (read: boolean) => {
    const { api } = ada;
    for (const { id } of await listAllThreads(ada.reader, { mailbox_id }))
      await (read ? api.markThreadRead : api.markThreadUnread)({ params: { thread_id: id } });
    return (await openJobs(workspace.table, 'sync-labels')).map(({ id }) => ({ job_id: id }));
  };
  /** As several workers get them. */
  const apart = (bodies: object[]) => bodies.map((body) => deliverMessages(syncLabels, [body]));

  it('write labels one after the other, while another one reads', async () => {
    const jobs = await mark(true);
    expect(jobs).toHaveLength(MESSAGES);
    await Promise.all([
      deliverMessages(syncLabels, jobs.slice(0, 6)),
      ...apart(jobs.slice(6)),
      readMailbox(workspace, ada, mailbox_id),
    ]);
    expect(seen()).toBe(MESSAGES);
    expect(servers.imap.connections.most).toBeLessThanOrEqual(2);
    expect(await openJobs(workspace.table, 'sync-labels')).toEqual([]);
    expect(await session()).toBeUndefined();
  });

  it('store copies of sent mail in turn as well', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await queueDraft(ada, { mailbox_id, subject: `Copy ${i}` }));
    const drafts = await jobsOfDrafts(workspace);
    const labels = await mark(false);
    await Promise.all([
      ...drafts.map(({ id, body }) => deliverMessages(sendDrafts, [{ job_id: id, ...body }])),
      ...apart(labels.slice(0, 4)),
    ]);
    for (const id of ids) expect((await readDraft(ada, id)).status).toBe('sent');
    expect(servers.sent(NAME)).toHaveLength(ids.length);
    expect(servers.taken).toHaveLength(ids.length);
    expect(servers.imap.connections.most).toBe(1);
    for (const job of labels) await deliverMessages(syncLabels, [job]);
    expect(seen()).toBe(0);
  });

  it('wait for one that died until its session must be over, and lose nothing', async () => {
    const jobs = await mark(true);
    const now = Date.now();
    await workspace.table.put({ ...keys.mailSession(mailbox_id), worker: 'died', held_until: now + 11_000 });
    workspace.setTime(new Date(now));
    const [first = { job_id: '' }, ...rest] = jobs;
    expect(await deliverMessages(syncLabels, [first])).toEqual({ failed: [] });
    expect(servers.imap.connections.most).toBe(0);
    const waiting = await openJobs(workspace.table, 'sync-labels');
    expect(waiting.find(({ id }) => id === first.job_id)).toMatchObject({ due: now + 10_000 });
    workspace.setTime(new Date(now + 12_000));
    for (const job of [first, ...rest]) await deliverMessages(syncLabels, [job]);
    workspace.setTime(undefined);
    expect(seen()).toBe(MESSAGES);
  });
});
