import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEndedListed } from '#shared/domain/collaboration/record-lists/ended.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { keys } from '#shared/table/keys.ts';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { eml, importMail, listAllThreads } from '../../support/mail.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /contacts/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteContact({ params: { id } });
  const found = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);

  it('204: it is in no list and no place, its address and external id are free', async () => {
    const draft = { external_id: 'crm-9', email_addresses: [{ email_address: 'gone@x.example' }] };
    const { id } = await givenContact(linus, { name: 'Gone Soon', ...draft });
    await ada.api.pinContact({ params: { contact_id: id } });
    expect(await found(ada, { slice: 'pinned' })).toEqual([id]);
    expect((await remove(ada, id)).status).toBe(204);
    expect(await codeOf(ada.reader.retrieveContact({ params: { id } }))).toBe('404 record_not_found');
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    for (const query of [{}, { query: 'gone' }, { slice: 'pinned' }, { external_id: 'crm-9' }])
      expect(await found(ada, query)).not.toContain(id);
    const entries = await workspace.table.all<ListEntry>(keys.listEntry('contacts', id, '').PK, 'LISTS#');
    expect(entries.map(({ listed }) => isEndedListed(listed))).toEqual([true]);
    expect((await givenContact(ada, draft)).external_id).toBe('crm-9');
  });

  it('204: the threads and events with its address stay', async () => {
    const email_address = 'captain@ferries.example';
    const contact = await givenContact(ada, { email_addresses: [{ email_address }] });
    const { mailbox_id, calendar_id } = await givenCalendar(workspace, ada);
    await importMail(workspace, ada, mailbox_id, [eml({ id: 'stays@x', from: email_address })]);
    const event = await givenEvent(ada, calendar_id, { attendees: [{ email_address }] });
    await remove(ada, contact.id);
    expect(await listAllThreads(ada.reader, { mailbox_id })).toHaveLength(1);
    const { calendar_event } = (await ada.reader.retrieveCalendarEvent({ params: { id: event.id } })).body;
    expect(calendar_event.attendees).toContainEqual(
      expect.objectContaining({ email_address, contact: null }),
    );
  });

  it('404 and 403: not what is hidden, nor what one may only look at', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    expect(await codeOf(remove(linus, id))).toBe('404 record_not_found');
    const params = { record_type: 'contacts' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
    expect((await remove(ada, id)).status).toBe(204);
    expect(await found(linus, { slice: 'shared' })).toEqual([]);
  });
});
