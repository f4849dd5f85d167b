import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copiesOfMessages } from '#shared/domain/mail/label-sync/copies.ts';
import { type ChangedCopy, marksChanged } from '#shared/domain/mail/label-sync/incoming.ts';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import { syncLabels } from '#shared/domain/mail/label-sync/sync.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter } from '../../../support/faults.ts';
import { rounds, STRIDE } from '../../../support/long.ts';
import { MailServer, reachMailServer } from '../../../support/mail-server.ts';
import {
  changeLabels,
  givenSyncedMailbox,
  givenSyncedThread,
  openLabelJobs,
  stateOf,
} from '../../../support/synced-thread.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
let server: MailServer;
let mailbox: string;

beforeAll(async () => {
  workspace = await startWorkspace();
  mailbox = await givenSyncedMailbox(workspace, workspace.ada);
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  server = new MailServer();
  reachMailServer(workspace.ctx, server);
  for (const { PK, SK } of await openLabelJobs(workspace.table)) await workspace.table.delete({ PK, SK });
});

const given = (messages = 2) =>
  givenSyncedThread(
    workspace,
    workspace.ada,
    Array.from({ length: messages }, () => [mailbox]),
  );
const ours = (thread: string) => stateOf(workspace.table, workspace.ada, thread);
const change = (thread: string, labels: Labels) => changeLabels(workspace, workspace.ada, thread, labels);
const sync = (job: string) => syncLabels(workspace.ctx, job);

/** Copies that differ from what is known of them, as a reading of the server finds them. */
async function readServer(thread: string): Promise<ChangedCopy[]> {
  const messages = await messagesOf(workspace.table, thread);
  const rfcIds = new Map(messages.map(({ id, rfc_id }) => [id, rfc_id]));
  const copies = await copiesOfMessages(workspace.table, mailbox, [...rfcIds.keys()]);
  return [...copies.values()].flat().flatMap((copy) => {
    const { read: seen, flagged } = server.labelsOf(mailbox, rfcIds.get(copy.message_id as string) as string);
    const served = { uid: copy.uid, size: 1, seen, flagged, received_at: null };
    return seen === copy.seen && flagged === copy.flagged ? [] : [{ copy, served }];
  });
}

async function tell(changed: ChangedCopy[]): Promise<void> {
  const found = await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, mailbox));
  await marksChanged(workspace.ctx, found as Mailbox, changed);
}

const follow = async (thread: string) => tell(await readServer(thread));

describe('marks that change at a mail server', () => {
  it('make a thread read when all of its received messages are, and unread with one', async () => {
    const thread = await given();
    server.change(mailbox, '1@x', { read: true });
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: false, flagged: false });
    server.change(mailbox, '2@x', { read: true });
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: true, flagged: false });
    server.change(mailbox, '1@x', { read: false });
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: false, flagged: false });
  });

  it('flag it with one of its messages, until none is flagged', async () => {
    const thread = await given();
    for (const id of ['1@x', '2@x']) server.change(mailbox, id, { flagged: true });
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: false, flagged: true });
    server.change(mailbox, '2@x', { flagged: false });
    await follow(thread);
    expect((await ours(thread)).flagged).toBe(true);
    server.change(mailbox, '1@x', { flagged: false });
    await follow(thread);
    expect((await ours(thread)).flagged).toBe(false);
  });

  it('are noted once, and nothing is owed to the server for them', async () => {
    const thread = await given();
    server.change(mailbox, '1@x', { flagged: true });
    await follow(thread);
    expect(await readServer(thread)).toEqual([]);
    expect(await openLabelJobs(workspace.table)).toEqual([]);
    expect(server.told).toEqual([]);
  });

  it('are not those that were written from here', async () => {
    const thread = await given();
    const job = await change(thread, { read: true, flagged: true });
    await sync(job?.id as string);
    expect(await readServer(thread)).toEqual([]);
  });

  it('come after what is owed to the server', async () => {
    const thread = await given();
    server.change(mailbox, '2@x', { flagged: true });
    const found = await readServer(thread);
    await change(thread, { read: true });
    await tell(found);
    expect(server.threadAt(mailbox, ['1@x', '2@x'])).toEqual({ read: true, flagged: true });
    expect(await openLabelJobs(workspace.table)).toEqual([]);
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: true, flagged: true });
  });

  it('are left when something else was written since they were read', async () => {
    const thread = await given();
    for (const id of ['1@x', '2@x']) server.change(mailbox, id, { read: true });
    const old = await readServer(thread);
    await sync((await change(thread, { read: true }))?.id as string);
    await sync((await change(thread, { read: false }))?.id as string);
    await tell(old);
    expect(await ours(thread)).toEqual({ read: false, flagged: false });
  });

  it('change nobody’s marks but those of the owner of a mailbox with label_sync on', async () => {
    const thread = await given();
    await workspace.table.put({ ...keys.threadEntry(workspace.grace.user.id, thread), unread: 1 });
    for (const id of ['1@x', '2@x']) server.change(mailbox, id, { read: true });
    await follow(thread);
    expect((await stateOf(workspace.table, workspace.grace, thread)).read).toBe(false);
    const key = keys.mailbox(workspace.account_id, mailbox);
    await workspace.table.update<Mailbox>(key, { set: { label_sync: false } });
    server.change(mailbox, '1@x', { flagged: true });
    await follow(thread);
    await workspace.table.update<Mailbox>(key, { set: { label_sync: true } });
    await follow(thread);
    expect(await ours(thread)).toEqual({ read: true, flagged: false });
  });

  it('are taken over once the work that was cut off has run again', async () => {
    for (let call = 1, cut = true; cut; call += STRIDE) {
      const thread = await given();
      server.change(mailbox, '1@x', { read: false, flagged: true });
      server.change(mailbox, '2@x', { read: true, flagged: false });
      const found = await readServer(thread);
      const crash = crashAfter(workspace.table, call);
      await tell(found).catch(() => undefined);
      crash.remove();
      cut = crash.hit;
      await follow(thread);
      expect([call, await ours(thread)]).toEqual([call, { read: false, flagged: true }]);
      expect(await readServer(thread)).toEqual([]);
    }
  });
});

const labels = fc.oneof(
  fc.boolean().map((read): Labels => ({ read })),
  fc.boolean().map((flagged): Labels => ({ flagged })),
);
const step = fc.oneof(
  labels.map((each) => ({ kind: 'ours' as const, labels: each })),
  fc.tuple(fc.nat({ max: 2 }), labels).map(([at, each]) => ({ kind: 'theirs' as const, at, labels: each })),
  fc.constantFrom('send' as const, 'read' as const, 'follow' as const).map((kind) => ({ kind })),
);

describe('marks that change on both sides', () => {
  it('are the same in the end, in any order of changes, sendings and readings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        server = new MailServer();
        reachMailServer(workspace.ctx, server);
        const thread = await given(3);
        const ids = ['1@x', '2@x', '3@x'];
        const jobs = async () => {
          for (const { id } of await openLabelJobs(workspace.table)) await sync(id);
        };
        let seen: ChangedCopy[] = [];
        for (const each of steps) {
          if (each.kind === 'ours') await change(thread, each.labels);
          else if (each.kind === 'theirs') server.change(mailbox, ids[each.at] as string, each.labels);
          else if (each.kind === 'send') await jobs();
          else if (each.kind === 'read') seen = await readServer(thread);
          else await tell(seen);
        }
        await jobs();
        await follow(thread);
        expect(await ours(thread)).toEqual(server.threadAt(mailbox, ids));
        expect(await readServer(thread)).toEqual([]);
        expect(await openLabelJobs(workspace.table)).toEqual([]);
      }),
      { numRuns: rounds(5, Number(process.env.RUNS ?? 160)) },
    );
  });
});
