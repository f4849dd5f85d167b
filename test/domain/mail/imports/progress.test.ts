import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { findImport, finishImport, recordProgress } from '#shared/domain/mail/imports/store.ts';
import { carefulUntil, isCareful, isPoison, note, unnote } from '#shared/domain/mail/imports/suspect.ts';
import { Overtaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { newId } from '#shared/ids.ts';
import { Throttled } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import { meanwhile } from '../../../support/faults.ts';
import { givenMailbox } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** The stored progress of an import, and the message that stops it. */
describe('the progress of an import', () => {
  let workspace: Workspace;
  let mailImport: MailImport;

  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    const { account_id, ada, table } = workspace;
    const [id, mailbox_id] = [newId(new Date()), await givenMailbox(workspace, ada)];
    mailImport = {
      ...keys.mailImport(id),
      ...{ id, account_id, mailbox_id, user_id: ada.user.id, upload_id: newId(new Date()) },
      ...{ job_id: newId(new Date()), file_name: 'a.mbox', size: 1, status: 'importing' },
      ...{ position: { offset: 700, ordinal: 7 }, messages_total: 20, error: null },
      ...{ messages_imported: 4, messages_skipped: 2, messages_failed: 1 },
      ...{
        created_at: '2026-11-02T10:00:00.000Z',
        started_at: '2026-11-02T10:00:00.000Z',
        finished_at: null,
      },
    };
    await table.put(mailImport);
  });
  const stored = () => findImport(workspace.table, mailImport.id);
  const entry = (ordinal: number) => ({ ordinal }) as ArchiveEntry;

  it('is returned as it is stored', async () => {
    const { table } = workspace;
    const position = { offset: 900, ordinal: 10 };
    const after = await recordProgress(table, mailImport, {
      ...{ position, imported: 1, skipped: 1, failed: 1, careful_until: 560 },
    });
    const counted = { messages_imported: 5, messages_skipped: 3, messages_failed: 2 };
    expect(after).toMatchObject({ ...counted, position, careful_until: 560 });
    expect(await stored()).toMatchObject({ ...counted, position, careful_until: 560 });
  });

  it('keeps the first message that may be stored without all that follows', async () => {
    const { table } = workspace;
    const none = { imported: 1, skipped: 0, failed: 0 };
    let current = mailImport;
    for (const [ordinal, unfinished_from, kept] of [
      [8, undefined, undefined],
      [12, 9, 9],
      [13, undefined, 9],
      [15, 14, 9],
    ] as const) {
      const position = { offset: 100 * ordinal, ordinal };
      current = await recordProgress(table, current, { ...none, position, unfinished_from });
      expect(current.unfinished_from).toBe(kept);
      expect((await stored())?.unfinished_from).toBe(kept);
    }
  });

  it('ends once, and refuses a second end', async () => {
    const { table, ctx } = workspace;
    const error = { code: 'import_failed', message: 'Given up.' };
    await finishImport(table, mailImport, null, new Date());
    await expect(finishImport(table, mailImport, error, new Date())).rejects.toThrow(Overtaken);
    await failImport(ctx, mailImport.id);
    expect(await stored()).toMatchObject({ status: 'complete', error: null });
  });

  it('does not fail when the worker gives up while it ends', async () => {
    const { table, ctx } = workspace;
    const end = meanwhile(table, 'TransactWriteItemsCommand', () =>
      finishImport(table, mailImport, null, new Date()),
    );
    await failImport(ctx, mailImport.id);
    end.remove();
    expect(end.hit).toBe(true);
    expect(await stored()).toMatchObject({ status: 'complete', error: null });
  });

  it.each<[string, Partial<MailImport>, boolean, number]>([
    ['the first runs', { tries: 2 }, false, 0],
    ['a run after two without progress', { tries: 3 }, true, 7 + 700],
    ['behind what stopped it', { careful_until: 8 }, true, 8],
    ['at the end of what was read at once then', { careful_until: 7 }, false, 7],
    ['stopped again, never less far', { tries: 3, careful_until: 900 }, true, 900],
  ])('decides whether the worker continues message by message: %s', (_what, given, careful, until) => {
    expect(isCareful({ ...mailImport, ...given })).toBe(careful);
    expect(carefulUntil({ ...mailImport, ...given })).toBe(until);
  });

  it('gives up a message that was recorded twice, not the one after it', async () => {
    const { table } = workspace;
    for (const notes of [1, 2]) {
      await note(table, (await stored()) as MailImport, entry(7));
      const now = (await stored()) as MailImport;
      expect(now.suspect).toEqual({ ordinal: 7, notes });
      expect(isPoison(now, entry(7))).toBe(notes === 2);
      expect(isPoison(now, entry(8))).toBe(false);
    }
    await note(table, (await stored()) as MailImport, entry(8));
    expect((await stored())?.suspect).toEqual({ ordinal: 8, notes: 1 });
  });

  const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
  it.each<[string, Error, boolean]>([
    ['a throttled table', new Throttled(), true],
    ['a table that stays throttled', named('ProvisionedThroughputExceededException'), true],
    ['a server that fails', named('InternalServerError', { $fault: 'server' }), true],
    ['a server that is away', named('Error', { code: 'ECONNREFUSED' }), true],
    ['no answer in time', named('TimeoutError'), true],
    ['a fault of its own', named('RangeError'), false],
    ['what the table refuses', named('ValidationException', { $fault: 'client' }), false],
    ['a code of Node', named('Error', { code: 'ERR_INVALID_ARG_TYPE' }), false],
  ])('blames a message or not: %s', async (_what, error, outage) => {
    const { table } = workspace;
    for (const suspect of [undefined, { ordinal: 7, notes: 1 }]) {
      const before = { ...mailImport, ...(suspect ? { suspect } : {}) };
      await table.put(before);
      await note(table, before, entry(7));
      await unnote(table, before, error);
      const noted = { ordinal: 7, notes: (suspect?.notes ?? 0) + 1 };
      expect((await stored())?.suspect).toEqual(outage ? suspect : noted);
    }
  });
});
