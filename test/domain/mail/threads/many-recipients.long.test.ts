import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messagePages, messagesOf } from '#shared/domain/mail/threads/messages.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { onThread } from '../../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Recipients of very many mails are not held at once; none of what is stored is lost by that. */

const MAILS = 24;
const RECIPIENTS = 1_000;

describe('a thread of mails with 24,000 recipients', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let thread: string;
  const addressOf = (mail: number, i: number) => `r${i}.m${mail}@many.example`;
  const recipientsOf = (mail: number) =>
    Array.from({ length: RECIPIENTS }, (_, i) => ({ email_address: addressOf(mail, i), name: null }));
  const mailOf = (mail: number) => {
    const draft = {
      ...{ id: `m${mail}@many`, in_reply_to: mail === 0 ? 'late@many' : 'm0@many', subject: 'Timetable' },
      date: new Date(Date.UTC(2026, 9, 1, 0, mail)).toUTCString(),
    };
    const file = { name: 'offer.pdf', type: 'application/pdf', content: '%PDF-1.4' };
    return eml(mail === 0 ? { ...draft, ...withFiles('<p>Parts</p>', [file]) } : draft);
  };
  const find = async (user: TestUser, query: object) =>
    (await user.reader.listThreads({ query })).body.collection.records;
  const stored = async (id: string) => {
    const all: Message[] = [];
    for await (const page of messagePages(workspace.table, id)) all.push(...page);
    return all;
  };
  const countIn = (messages: Message[]) => messages.reduce((sum, { to }) => sum + to.length, 0);

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    const mailbox = await givenMailbox(workspace, ada);
    const mails = Array.from({ length: MAILS }, (_, i) => mailOf(i));
    await importMail(workspace, ada, mailbox, [eml({ id: 'first@many', subject: 'Timetable' }), ...mails]);
    const [many] = (await find(ada, { subject: 'Timetable' })).filter(
      ({ message_count }) => (message_count ?? 0) > 1,
    );
    for (const [mail, { PK, SK }] of (await stored(many?.id as string)).entries())
      await workspace.table.update<Message>({ PK, SK }, { set: { to: recipientsOf(mail) } });
    // What comes between them joins both threads: every message moves.
    const late = { id: 'late@many', in_reply_to: 'first@many', subject: 'Timetable' };
    await importMail(workspace, ada, mailbox, [eml({ ...late, date: 'Thu, 01 Oct 2026 00:00:00 +0000' })]);
    const [found, ...others] = await find(ada, { subject: 'Timetable' });
    expect(others).toEqual([]);
    thread = found?.id as string;
  });
  afterAll(() => workspace?.stop());

  it('keeps all of them when its messages move', async () => {
    const all = await stored(thread);
    expect(all).toHaveLength(MAILS + 2);
    expect(countIn(all)).toBe(MAILS * RECIPIENTS + 2);
  });

  it('holds those of the newest messages, and the first ones of each other', async () => {
    const all = await stored(thread);
    const held = await messagesOf(workspace.table, thread);
    expect(held.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const cut = all.map(({ to }) => to.length).filter((count, i) => count !== held[i]?.to.length).length;
    // Of 24,003 recipients and attachments, 20,000 are held.
    expect(cut).toBe(5);
    expect(countIn(held)).toBe((MAILS - cut) * RECIPIENTS + cut * 25 + 2);
    expect(held.flatMap(({ recipients_omitted }) => recipients_omitted ?? [])).toEqual(Array(5).fill(975));
    expect(held.slice(cut + 1)).toEqual(all.slice(cut + 1));
  });

  it('counts those that are held, and finds its file', async () => {
    const [shown] = await find(ada, { subject: 'Timetable' });
    expect(shown).toMatchObject({ message_count: MAILS + 2, has_attachments: true });
    const { records } = (await ada.reader.listFiles({ query: { query: 'offer' } })).body.collection;
    expect(records.map(({ name }) => name)).toEqual(['offer.pdf']);
  });

  it('is found by each of them once it is shared', async () => {
    const search = async (query: string) =>
      (await grace.reader.searchRecords({ query: { query, types: 'thread' } })).body.search.results;
    const last = addressOf(0, RECIPIENTS - 1);
    expect(await search(last)).toEqual([]);
    await ada.api.createShare({ params: onThread(thread), body: { share: { user_id: grace.user.id } } });
    expect((await search(last)).map(({ id }) => id)).toEqual([thread]);
  });
});
