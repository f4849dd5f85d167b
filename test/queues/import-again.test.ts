import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArrivedMail } from '#shared/domain/mail/arriving/arrived.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { runImport } from '#shared/domain/mail/imports/run.ts';
import { findImport } from '#shared/domain/mail/imports/store.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { zipOf } from '../domain/mail/archives/archive-source.ts';
import { crashAfter } from '../support/faults.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { eml, givenMailbox, listAllThreads } from '../support/mail.ts';
import { measureTable } from '../support/meter.ts';
import { conversation, givenPendingImport } from '../support/pending-import.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('an archive imported again', () => {
  let workspace: Workspace;
  let table: Table;
  let mailbox: string;
  /** The threads whose new mail was announced. */
  let told: string[];
  let name = 0;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    table = workspace.table;
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    name++;
    told = [];
    mailbox = await givenMailbox(workspace, workspace.ada);
  });

  const context = () => ({
    ...workspace.ctx,
    ports: {
      ...workspace.ctx.ports,
      mailArrived: async (_ctx: unknown, { thread_ids }: ArrivedMail) => void told.push(...thread_ids),
    },
  });
  const given = (mail: Buffer[] | Buffer, box = mailbox) =>
    Buffer.isBuffer(mail)
      ? givenPendingImport(workspace, box, [], { archive: mail })
      : givenPendingImport(workspace, box, mail);
  const countsOf = async (id: string) => {
    const found = await findImport(table, id);
    return [found?.messages_imported, found?.messages_skipped, found?.messages_failed];
  };
  /** Imported, skipped and failed. */
  async function imported(mail: Buffer[] | Buffer, box = mailbox) {
    const id = await given(mail, box);
    await runImport(context(), id, () => false);
    return countsOf(id);
  }
  const threads = (mailbox_id = mailbox) => listAllThreads(workspace.ada.reader, { mailbox_id });
  const mails = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      eml({
        id: `again-${name}-${i}@x`,
        subject: `Again ${name} ${i % 7}`,
        references: i < 7 ? [] : [`again-${name}-${i % 7}@x`],
      }),
    );

  longIt('costs one read for each message, and writes nothing but its progress', async () => {
    const archive = toMbox(mails(60));
    const first = await measureTable(table, () => imported(archive));
    told = [];
    const id = await given(archive);
    const again = await measureTable(table, () => runImport(context(), id, () => false));
    expect(await countsOf(id)).toEqual([0, 60, 0]);
    const commands = Map.groupBy(again.calls, ({ command }) => command);
    expect(commands.get('QueryCommand')?.length).toBeLessThanOrEqual(60 + 5);
    // The import as it begins, and the messages' own import.
    expect(again.calls.length).toBeLessThanOrEqual(60 + 5 + 20);
    expect(again.writes).toBeLessThanOrEqual(8);
    expect(first.calls.length / again.calls.length).toBeGreaterThan(4);
    expect(told).toEqual([]);
  });

  it('with the same message in two of its files skips it once, at the same cost when it comes again', async () => {
    const [one, two] = mails(2) as [Buffer, Buffer];
    const archive = zipOf([
      { name: 'All.mbox', content: toMbox([one, one, two]) },
      { name: 'Sent.mbox', content: toMbox([two]) },
    ]);
    expect(await imported(archive)).toEqual([2, 2, 0]);
    expect(await imported(archive)).toEqual([0, 4, 0]);
  });

  longIt('while it is being imported is counted once, by either import', async () => {
    const archive = toMbox(mails(40));
    const ids = [await given(archive), await given(archive)];
    const run = (id: string) => runImport(context(), id, () => false);
    await Promise.allSettled(ids.map(run));
    for (const id of ids) await run(id);
    const [a, b] = await Promise.all(ids.map(countsOf));
    expect((a?.[0] ?? 0) + (b?.[0] ?? 0)).toBe(40);
    expect([a, b].map((counts) => counts?.reduce((sum = 0, each = 0) => sum + each, 0))).toEqual([40, 40]);
    expect((await threads()).reduce((sum, { message_count }) => sum + (message_count ?? 0), 0)).toBe(40);
    expect(await imported(archive)).toEqual([0, 40, 0]);
  });

  longIt('reaches another mailbox of the account all the same', async () => {
    const mail = conversation(`both-${name}`);
    const other = await givenMailbox(workspace, workspace.ada);
    expect(await imported(mail)).toEqual([3, 0, 0]);
    expect(await imported(mail, other)).toEqual([3, 0, 0]);
    expect(await threads(other)).toMatchObject([{ message_count: 3 }]);
    expect(await imported(mail, other)).toEqual([0, 3, 0]);
    expect(await imported(mail)).toEqual([0, 3, 0]);
  });

  longIt('brings a message back whose rows are gone', async () => {
    const mail = conversation(`gone-${name}`);
    await imported(mail);
    const [thread] = await threads();
    const [, second] = (await messagesOf(table, thread?.id as string)) as [Message, Message, Message];
    const { account_id, id_hash, id } = second;
    await table.writeMany([{ delete: keyOf(second) }, { delete: keys.messageId(account_id, id_hash, id) }]);
    expect(await imported(mail)).toEqual([1, 2, 0]);
    expect(await threads()).toMatchObject([{ message_count: 3 }]);
  });

  longIt('with other marks, or as other mail with the same bytes, is read', async () => {
    const plain = eml({ id: `marks-${name}@x` });
    const marked = eml({ id: `marks-${name}@x`, headers: ['Status: RO', 'Content-Type: text/plain'] });
    expect(await imported([plain])).toEqual([1, 0, 0]);
    expect(await imported([marked])).toEqual([0, 1, 0]);
    expect(await imported([plain])).toEqual([0, 1, 0]);
    // Without a date of its own, the envelope's is the message's.
    const dateless = eml({ id: `dateless-${name}@x`, date: null }).toString();
    const on = (day: number) => Buffer.from(`From a@x Mon Nov  ${day} 10:00:00 2026\n${dateless}\n`);
    expect(await imported(on(2))).toEqual([1, 0, 0]);
    expect(await imported(on(3))).toEqual([1, 0, 0]);
    expect(await imported(on(2))).toEqual([0, 1, 0]);
  });

  longIt('finishes what an import left that was killed at any call', async () => {
    // One call further each time, until the import survives.
    for (let call = 1; ; call += 4 * STRIDE) {
      mailbox = await givenMailbox(workspace, workspace.ada);
      told = [];
      const mail = conversation(`killed-${name}-${call}`);
      const id = await given(mail);
      const crash = crashAfter(table, call);
      await runImport(context(), id, () => false).catch(() => {});
      crash.remove();
      const survived = !crash.hit;
      if (!survived) await failImport(workspace.ctx, id);
      const again = await imported(mail);
      expect(again.reduce((sum = 0, each = 0) => sum + each, 0)).toBe(3);
      const found = await threads();
      expect(found).toMatchObject([{ message_count: 3 }]);
      expect(told).toContain(found[0]?.id);
      if (survived) break;
    }
  });
});
