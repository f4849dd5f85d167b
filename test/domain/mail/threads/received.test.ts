import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longIt } from '../../../support/long.ts';
import { type Draft, eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The inbox is ordered by the time of receipt, which no sender controls. */
describe('when mail was received', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;
  let run = 0;
  const now = new Date('2026-11-20T12:00:00.000Z');

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    workspace.setTime(now);
    ({ ada } = workspace);
  });
  afterAll(() => workspace?.stop());

  const received = (moment: string, draft: Omit<Draft, 'id'>): Buffer =>
    eml({
      id: `received-${++run}@x`,
      headers: [
        'Content-Type: text/plain; charset=utf-8',
        `Received: from a by mx.acme.example with ESMTP id 1; ${moment}`,
        'Received: from b by a; Tue, 01 Jan 2030 00:00:00 +0000',
      ],
      ...draft,
    });
  const inbox = async () => listAllThreads(ada.reader, { mailbox_id: mailbox, slice: 'inbox' });

  longIt('orders the inbox, whatever the dates of the senders say', async () => {
    mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [
      received('Thu, 19 Nov 2026 10:00:00 +0000', {
        subject: 'Future',
        date: 'Mon, 01 Jan 2035 10:00:00 +0000',
      }),
      received('Fri, 20 Nov 2026 09:00:00 +0000', {
        subject: 'Past',
        date: 'Fri, 01 Jan 1999 10:00:00 +0000',
      }),
      received('Fri, 20 Nov 2026 08:00:00 +0000', {
        subject: 'Present',
        date: 'Fri, 20 Nov 2026 07:59:00 +0000',
      }),
      received('Wed, 18 Nov 2026 08:00:00 +0000', {
        subject: 'Before 1970',
        date: 'Sun, 20 Jul 1969 20:17:00 +0000',
      }),
    ]);
    expect((await inbox()).map(({ subject, inbox_sort_time }) => [subject, inbox_sort_time])).toEqual([
      ['Past', '2026-11-20T09:00:00.000Z'],
      ['Present', '2026-11-20T08:00:00.000Z'],
      ['Future', '2026-11-19T10:00:00.000Z'],
      ['Before 1970', '2026-11-18T08:00:00.000Z'],
    ]);
    const sent = new Map((await inbox()).map(({ subject, last_sent_at }) => [subject, last_sent_at]));
    expect(sent.get('Before 1970')).toBe('1969-07-20T20:17:00.000Z');
    expect(sent.get('Future')).toBe('2035-01-01T10:00:00.000Z');
  });

  longIt('leaves threads from before 1970 in their places, and finds them by their dates', async () => {
    mailbox = await givenMailbox(workspace, ada);
    const years = [1971, 1912, 1969, 1950];
    await importMail(
      workspace,
      ada,
      mailbox,
      years.map((year) => {
        const date = new Date('2026-07-20T04:00:00Z');
        date.setUTCFullYear(year);
        const [day, month, , time] = date.toUTCString().slice(5).split(' ');
        return received('Thu, 19 Nov 2026 10:00:00 +0000', {
          subject: `Year ${year}`,
          date: `${day} ${month} ${year} ${time} +0000`,
        });
      }),
    );
    const found = async (filters: object) =>
      (await listAllThreads(ada.reader, { mailbox_id: mailbox, ...filters })).map(({ subject }) => subject);
    expect(await found({})).toEqual(['Year 1971', 'Year 1969', 'Year 1950', 'Year 1912']);
    expect(await found({ first_sent_before: '1969-07-20T04:00:00.001Z' })).toHaveLength(3);
    expect(await found({ first_sent_before: '1969-07-20T04:00:00Z' })).toHaveLength(2);
    expect(await found({ last_sent_after: '1912-07-20T04:00:00Z' })).toHaveLength(3);
    expect(await found({ last_sent_after: '1912-07-20T03:59:59Z' })).toHaveLength(4);
    expect(await found({ first_sent_before: '1920-01-01', last_sent_after: '1900-01-01' })).toEqual([
      'Year 1912',
    ]);
  });

  it('is never later than the import', async () => {
    mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [
      received('Mon, 01 Jan 2035 10:00:00 +0000', {
        subject: 'Forged',
        date: 'Mon, 01 Jan 2035 10:00:00 +0000',
      }),
      eml({ id: `received-${++run}@x`, subject: 'No word of it', date: 'Tue, 31 Dec 9998 10:00:00 +0000' }),
    ]);
    for (const { inbox_sort_time } of await inbox())
      expect(Date.parse(inbox_sort_time as string)).toBeLessThanOrEqual(now.getTime() + 60_000);
  });

  it('decides what the open threads are', async () => {
    mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [
      received('Fri, 20 Nov 2026 09:00:00 +0000', {
        subject: 'Old date',
        date: 'Fri, 01 Jan 1999 10:00:00 +0000',
      }),
      received('Thu, 01 Jan 2026 09:00:00 +0000', {
        subject: 'Old mail',
        date: 'Mon, 01 Jan 2035 10:00:00 +0000',
      }),
    ]);
    const { inbox: open } = (await ada.reader.listOpenThreads({})).body;
    const subjects = Object.values(open)
      .flat()
      .map(({ subject }) => subject);
    expect(subjects).toContain('Old date');
    expect(subjects).not.toContain('Old mail');
  });

  it('is kept for each mailbox', async () => {
    mailbox = await givenMailbox(workspace, ada);
    const other = await givenMailbox(workspace, workspace.grace);
    const at = (moment: string) => {
      const mail = received(moment, { subject: 'Both', date: 'Fri, 20 Nov 2026 07:00:00 +0000' });
      run--;
      return mail;
    };
    await importMail(workspace, ada, mailbox, [at('Fri, 20 Nov 2026 07:00:05 +0000')]);
    await importMail(workspace, workspace.grace, other, [at('Fri, 20 Nov 2026 11:30:00 +0000')]);
    run++;
    const hers = await listAllThreads(workspace.grace.reader, { mailbox_id: other, slice: 'inbox' });
    expect([(await inbox())[0]?.inbox_sort_time, hers[0]?.inbox_sort_time]).toEqual([
      '2026-11-20T07:00:05.000Z',
      '2026-11-20T11:30:00.000Z',
    ]);
    expect(hers[0]?.id).toBe((await inbox())[0]?.id);
  });
});
