import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const read = (user: 'ada' | 'grace' | 'hank', id: string) =>
    workspace[user].reader.retrieveContact({ params: { id } });
  const create = async (visibility: 'account' | 'private') =>
    (await workspace.grace.api.createContact({ body: { contact: { name: 'Ann', visibility } } })).body
      .contact;
  const notFound = { status: 404, code: 'record_not_found' };

  it('200: a contact of the account, for each of its users', async () => {
    const contact = await create('account');
    const { status, body } = await read('ada', contact.id.toUpperCase());
    expect(status).toBe(200);
    expect(body.contact).toEqual({ ...contact, thread_count: 0 });
    expect(body.contact).toMatchObject({ comments: [], tasks: [], tags: [], shares: [] });
  });

  it('200: a private contact for its owner; 404 for everyone else, admins included', async () => {
    const { id } = await create('private');
    await expect(read('grace', id)).resolves.toMatchObject({ status: 200 });
    await expect(read('ada', id)).rejects.toMatchObject(notFound);
  });

  it('404: another account, and an unknown id', async () => {
    const { id } = await create('account');
    await expect(read('hank', id)).rejects.toMatchObject(notFound);
    await expect(read('grace', randomUUID())).rejects.toMatchObject(notFound);
  });

  it('has the last and the next meeting with one of its addresses', async () => {
    const { ada } = workspace;
    const address = 'meets@ferries.example';
    const contact = await givenContact(ada, { name: 'Tom', email_addresses: [{ email_address: address }] });
    const { calendar_id } = await givenCalendar(workspace, ada);
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const times = (days: number) => ({ starts_at: day(days), ends_at: day(days + 0.01) });
    const fields = {
      attendees: [{ email_address: address }],
      time_zone: 'UTC',
      recurrence: ['FREQ=DAILY;INTERVAL=3'],
    };
    await givenEvent(ada, calendar_id, { ...times(-4), ...fields });
    const read = async (user: TestUser) =>
      (await user.reader.retrieveContact({ params: { id: contact.id } })).body.contact;
    const { last_interaction_at, next_interaction_at } = await read(ada);
    const days = [last_interaction_at, next_interaction_at].map(
      (each) => (Date.parse(each as string) - Date.now()) / 86_400_000,
    );
    expect(days.map(Math.round)).toEqual([-1, 2]);
    expect(await read(workspace.grace)).toMatchObject({
      last_interaction_at: null,
      next_interaction_at: null,
    });
  });

  it('200: the number of its threads and the time of their newest message, as the user sees them', async () => {
    const files = await startWorkspace({ files: true });
    const { ada, grace } = files;
    const mailbox = await givenMailbox(files, ada);
    const from = 'Priya <priya@ferries.example>';
    const mail = (id: string, day: number) =>
      eml({ id, from, subject: id, date: `Thu, ${String(day).padStart(2, '0')} Nov 2026 10:00:00 +0000` });
    await importMail(files, ada, mailbox, [mail('one@x', 5), mail('two@x', 12)]);
    const contact = { name: 'Priya', email_addresses: [{ email_address: 'priya@ferries.example' }] };
    const { id } = (await grace.api.createContact({ body: { contact } })).body.contact;
    const read = async (user: TestUser) =>
      (await user.reader.retrieveContact({ params: { id } })).body.contact;
    expect(await read(ada)).toMatchObject({
      thread_count: 2,
      last_interaction_at: '2026-11-12T10:00:00.000Z',
    });
    expect(await read(grace)).toMatchObject({ thread_count: 0, last_interaction_at: null });
    const [listed] = (await ada.reader.listContacts()).body.collection.records;
    expect(listed).toMatchObject({ thread_count: null, last_interaction_at: null });
    await files.stop();
  });
});
