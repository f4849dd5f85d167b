import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { subjectsOf, threadOf } from '../../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const me = 'Ada Lovelace <ada@acme.example>';
const FAR = '2200-01-01T00:00:00Z';

describe('new mail in a thread that the user is done with', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;
  let hour = 0;

  const bring = (id: string, subject: string, more: { from?: string; in_reply_to?: string } = {}) =>
    importMail(workspace, ada, mailbox, [
      eml({
        id,
        subject,
        ...more,
        ...(more.from ? { to: 'priya@ferries.example' } : {}),
        date: new Date(Date.UTC(2026, 10, 2, hour++)).toUTCString().replace('GMT', '+0000'),
      }),
    ]);
  const state = async (subject: string, user = ada) => {
    const { read, flagged, resolved, snooze_until } = await threadOf(user.reader, subject);
    return { read, flagged, resolved, snooze_until };
  };
  /** Read, flagged, resolved and snoozed. */
  async function givenDone(subject: string, user = ada) {
    const params = { thread_id: (await threadOf(user.reader, subject)).id };
    await user.api.markThreadRead({ params });
    await user.api.flagThread({ params });
    await user.api.resolveThread({ params });
    await user.api.snoozeThread({ params, body: { snooze_until: FAR } });
  }
  const done = { read: true, flagged: true, resolved: true, snooze_until: FAR };
  const opened = { read: false, flagged: true, resolved: false, snooze_until: null };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    mailbox = await givenMailbox(workspace, ada);
    await giveMailbox(workspace, workspace.grace, mailbox);
  });
  afterAll(() => workspace?.stop());

  longIt('that is received makes it unread, reopens it and ends its snooze; the flag stays', async () => {
    await bring('a1@x', 'Winch');
    await givenDone('Winch');
    expect(await state('Winch')).toEqual(done);
    await bring('a2@x', 'Re: Winch', { in_reply_to: 'a1@x' });
    expect(await state('Winch')).toEqual(opened);
    expect(await subjectsOf(ada.reader, { slice: 'snoozed' })).toEqual([]);
    for (const slice of ['unread', 'unresolved', 'flagged'])
      expect(await subjectsOf(ada.reader, { slice })).toEqual(['Winch']);
  });

  longIt('that the user sent changes nothing of it, and moves it up in the list', async () => {
    await bring('b1@x', 'Berth');
    await bring('c1@x', 'Coffee');
    await givenDone('Berth');
    await bring('b2@x', 'Re: Berth', { in_reply_to: 'b1@x', from: me });
    expect(await state('Berth')).toEqual(done);
    expect((await subjectsOf(ada.reader)).slice(0, 2)).toEqual(['Berth', 'Coffee']);
    expect((await subjectsOf(ada.reader, { slice: 'inbox' })).slice(0, 2)).toEqual(['Coffee', 'Berth']);
    expect(await subjectsOf(ada.reader, { slice: 'snoozed' })).toEqual(['Berth']);
  });

  it('is received by a colleague who reads the mailbox, when the owner sent it', async () => {
    await bring('d1@x', 'Deck');
    await givenDone('Deck', workspace.grace);
    await bring('d2@x', 'Re: Deck', { in_reply_to: 'd1@x', from: me });
    expect(await state('Deck', workspace.grace)).toEqual(opened);
  });

  longIt('that reached only a mailbox the user cannot access changes nothing for the user', async () => {
    await bring('e1@x', 'Engine');
    await givenDone('Engine');
    const before = await workspace.table.all<ThreadEntry>(keys.threadEntry(ada.user.id, '').PK, 'THREAD#');
    const { linus } = workspace;
    const other = await givenMailbox(workspace, linus);
    const hidden = eml({
      id: 'e2@x',
      subject: 'Re: Engine',
      in_reply_to: 'e1@x',
      date: 'Fri, 06 Nov 2026 10:00:00 +0000',
    });
    await importMail(workspace, linus, other, [hidden]);
    expect(await state('Engine')).toEqual(done);
    const after = await workspace.table.all<ThreadEntry>(keys.threadEntry(ada.user.id, '').PK, 'THREAD#');
    const seen = (entries: typeof before) => entries.map(({ version, revision, ...values }) => values);
    expect(seen(after)).toEqual(seen(before));
    await importMail(workspace, ada, mailbox, [hidden]);
    expect(await state('Engine')).toEqual(opened);
  });

  longIt('that was stored already changes nothing', async () => {
    await bring('f1@x', 'Fuel');
    await givenDone('Fuel');
    hour--;
    const counts = await bring('f1@x', 'Fuel');
    expect(counts).toMatchObject({ messages_imported: 0, messages_skipped: 1 });
    expect(await state('Fuel')).toEqual(done);
  });

  longIt('keeps all concurrent changes', async () => {
    await bring('g1@x', 'Gangway');
    const params = { thread_id: (await threadOf(ada.reader, 'Gangway')).id };
    await Promise.all([
      ada.api.markThreadRead({ params }),
      ada.api.flagThread({ params }),
      ada.api.resolveThread({ params }),
      ada.api.snoozeThread({ params, body: { snooze_until: FAR } }),
    ]);
    expect(await state('Gangway')).toEqual(done);
    for (const slice of ['flagged', 'snoozed'])
      expect(await subjectsOf(ada.reader, { slice })).toContain('Gangway');
    for (const slice of ['unread', 'unresolved'])
      expect(await subjectsOf(ada.reader, { slice })).not.toContain('Gangway');
  });
});
