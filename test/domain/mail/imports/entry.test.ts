import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import type { Target } from '#shared/domain/mail/arriving/take.ts';
import { targetOf } from '#shared/domain/mail/arriving/target.ts';
import { importEntry } from '#shared/domain/mail/imports/entry.ts';
import { FinishedDeliveries, sourceOf } from '#shared/domain/mail/imports/finished.ts';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { contactCreations, type Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox } from '../../../support/mail.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Bytes that note how many of them are handed to the parser. */
class Watched extends Uint8Array {
  parsed = 0;

  override subarray(from = 0, to = this.length): Uint8Array<ArrayBuffer> {
    this.parsed += to - from;
    return new Uint8Array(this.buffer as ArrayBuffer, this.byteOffset + from, to - from);
  }
}

describe('a message of an archive', () => {
  let workspace: Workspace;
  let target: Target;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ctx, table, account_id } = workspace;
    const id = await givenMailbox(workspace, workspace.ada);
    const members = await membersOf(table, account_id);
    const mailbox = members.mailboxes.find((each) => each.id === id) as Mailbox;
    const finished = new FinishedDeliveries(table, 'none');
    target = targetOf(ctx, members, mailbox, { creation: 'none', finished });
  });
  afterAll(() => workspace?.stop());

  const text = 'A long line of text.\r\n'.repeat(50_000);
  const mail = eml({ id: 'large@x', text });
  const header = mail.indexOf('\r\n\r\n') + 4;

  /** What the import becomes, and the bytes that were parsed. */
  async function take(by: Partial<MailImport> & { id: string }, ordinal: number, raw = mail) {
    const watched = new Watched(raw);
    const next = { offset: 0, ordinal: ordinal + 1 };
    const entry: ArchiveEntry = { ordinal, name: null, next, envelope_date: null, raw: watched };
    const outcome = await importEntry(target, by, entry);
    return { outcome, parsed: watched.parsed };
  }

  const givenImport = async (values: Partial<MailImport>) => {
    const id = newId(new Date());
    await workspace.table.put({ ...keys.mailImport(id), id, finished_at: null, ...values });
    return id;
  };
  const at = (ordinal: number) => ({ offset: 0, ordinal });

  longIt(
    'is parsed again, with what follows, until its import has recorded it; then only its header',
    async () => {
      const [first, again] = [await givenImport({ position: at(3) }), await givenImport({})];
      const imported = await take({ id: first }, 3);
      expect(imported).toEqual({
        outcome: {
          ...{
            outcome: 'imported',
            known: false,
            thread_id: expect.any(String),
            message_id: expect.any(String),
          },
          id_hash: expect.any(String),
          ...{ heard: expect.any(Object), met: [] },
        },
        parsed: header + mail.length,
      });
      const { outcome } = imported;
      const early = await take({ id: again }, 0);
      expect(early).toEqual({
        outcome: { ...outcome, known: true, outcome: 'skipped' },
        parsed: header + mail.length,
      });
      await workspace.table.update<MailImport>(keys.mailImport(first), { set: { position: at(4) } });
      const { message_id, id_hash } = outcome as Record<string, unknown>;
      const seen = {
        outcome: { outcome: 'skipped', known: true, thread_id: null, message_id, id_hash },
        parsed: header,
      };
      expect(await take({ id: again }, 0)).toEqual(seen);
      // Some message from the second on may lack what follows.
      const set = (unfinished_from: number) =>
        workspace.table.update<MailImport>(keys.mailImport(first), { set: { unfinished_from } });
      await set(3);
      expect(await take({ id: again }, 0)).toEqual(early);
      await set(4);
      expect(await take({ id: again }, 0)).toEqual(seen);
    },
  );

  it.each([
    [undefined, ['none']],
    ['none' as const, ['none']],
    ['sent' as const, ['none', 'sent']],
    ['all' as const, ['none', 'sent', 'all']],
  ])('is finished by an import that made contacts of %s for those that make no more', async (by, covers) => {
    const id = await givenImport({ position: at(1) });
    await workspace.table.update<MailImport>(keys.mailImport(id), {
      ...(by ? { set: { contact_creation: by } } : { remove: ['contact_creation'] }),
    });
    for (const creation of contactCreations) {
      const finished = new FinishedDeliveries(workspace.table, creation);
      expect(await finished.has(sourceOf(id, 0))).toBe(covers.includes(creation));
    }
  });

  it('without an id of its own is found by its content', async () => {
    const raw = eml({ id: null, text: 'no id' });
    const first = await givenImport({ position: at(1) });
    await take({ id: first }, 0, raw);
    const { outcome } = await take({ id: await givenImport({}) }, 0, raw);
    expect(outcome).toMatchObject({ outcome: 'skipped', thread_id: null });
  });

  it('of an import that is gone is imported as any other', async () => {
    const raw = eml({ id: 'orphan@x' });
    await take({ id: newId(new Date()) }, 0, raw);
    const { outcome } = await take({ id: await givenImport({}) }, 0, raw);
    expect(outcome).toMatchObject({ outcome: 'skipped', thread_id: expect.any(String) });
  });

  it('costs one read more for its import, once for all messages of an ended import', async () => {
    const position = at(9);
    for (const [finished_at, reads] of [
      [null, 2],
      ['2026-11-02T10:00:00.000Z', 1],
    ] as const) {
      const by = await givenImport({ position, finished_at });
      const finished = new FinishedDeliveries(workspace.table, 'none');
      const { calls } = await countRoundTrips(workspace.table, async () => {
        expect(await finished.has(sourceOf(by, 8))).toBe(true);
        expect(await finished.has(sourceOf(by, 9))).toBe(false);
      });
      expect(calls).toEqual(Array(reads).fill('GetItemCommand'));
    }
  });
});
