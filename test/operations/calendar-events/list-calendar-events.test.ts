import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { givenSpace, join } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** What the model of the lists does not ask (test/domain/calendar/calendar-events/lists.test.ts). */
describe('GET /calendar_events', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let own: { calendar_id: string; mailbox_id: string };
  const NOW = Date.UTC(2093, 2, 24, 11, 30);
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
    own = await givenCalendar(workspace, ada);
    workspace.setTime(new Date(NOW));
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  const event = (name: string, starts_at: string, ends_at: string, fields = {}) =>
    givenEvent(ada, own.calendar_id, { name, starts_at, ends_at, ...fields });
  const list = async (query: object = {}, user = ada) =>
    (await user.reader.listCalendarEvents({ query: query as never })).body.collection;
  const names = async (query: object = {}, user = ada) =>
    (await list(query, user)).records.map(({ name }) => name);

  it('200: from now on, with what is under way; the past is on the pages before', async () => {
    await event('over', '2093-03-24T09:00:00Z', '2093-03-24T10:00:00Z');
    await event('under way', '2093-03-20T09:00:00Z', '2093-03-25T10:00:00Z');
    await event('next', '2093-03-24T12:00:00Z', '2093-03-24T13:00:00Z');
    await event('in three years', '2096-03-24T12:00:00Z', '2096-03-24T13:00:00Z');
    await event('yearly', '2093-05-01T12:00:00Z', '2093-05-01T13:00:00Z', {
      ...{ time_zone: 'UTC', recurrence: ['FREQ=YEARLY'] },
    });
    const first = await list({ limit: 3 });
    expect(first.records.map(({ name }) => name)).toEqual(['under way', 'next', 'yearly']);
    expect(first).toMatchObject({
      page_info: { limit: 3, has_more_after: true, has_more_before: true },
      ...{ filters: null, slice_key: null },
    });
    expect(first.records[0]).toMatchObject({ comments: null, tasks: null, tags: [], shares: [] });
    const { next_cursor, prev_cursor } = first.page_info;
    expect(await names({ limit: 3, prev_cursor })).toEqual(['over']);
    const second = await list({ limit: 3, next_cursor });
    expect(second.records.map(({ name }) => name)).toEqual(['in three years']);
    expect(await names({ limit: 3, prev_cursor: second.page_info.prev_cursor })).toEqual([
      'under way',
      'next',
      'yearly',
    ]);
    expect(await names({ starts_after: '2095-01-01', starts_before: '2098-01-01' })).toEqual([
      ...['yearly', 'in three years', 'yearly', 'yearly'],
    ]);
    expect(await names({ slice: 'past' })).toEqual(['over']);
    expect(await names({ slice: 'today' })).toEqual(['under way', 'over', 'next']);
  });

  longIt('200: by the people of a contact, and of an organization', async () => {
    const contact = await givenContact(ada, {
      name: 'Tom',
      email_addresses: [{ email_address: 'tom@home.example' }],
    });
    const organization = (
      await ada.api.createOrganization({
        body: { organization: { name: 'Ferries', domains: ['ferries.example'] } },
      })
    ).body.organization;
    await ada.api.updateContact({
      params: { id: contact.id },
      body: { contact: { employments: [{ organization: { id: organization.id }, current: true }] } } as never,
    });
    const times = ['2093-07-01T09:00:00Z', '2093-07-01T10:00:00Z'] as const;
    await event('with Tom', ...times, { attendees: [{ email_address: 'tom@home.example' }] });
    await event('with another', ...times, { attendees: [{ email_address: 'ann@ferries.example' }] });
    expect(await names({ contact_id: contact.id })).toEqual(['with Tom']);
    expect((await names({ organization_id: organization.id })).sort()).toEqual(
      ['with Tom', 'with another'].sort(),
    );
    expect(await names({ participant: 'ANN@ferries.example' })).toEqual(['with another']);
    const hidden = await givenContact(grace, { name: 'Ann', visibility: 'private' });
    expect(await codeOf(ada.reader.listCalendarEvents({ query: { contact_id: hidden.id } }))).toBe(
      '404 record_not_found',
    );
  });

  longIt('200: of a space, by its people and those of its organizations, or by its tags', async () => {
    const yard = await givenOrganization(ada);
    const person = { email_addresses: [{ email_address: 'ola@yard.example' }] };
    await givenContact(ada, { ...person, employments: [{ organization: { id: yard.id } }] });
    const secret = { email_addresses: [{ email_address: 'kim@yard.example' }], visibility: 'private' };
    const hidden = await givenContact(ada, secret);
    const { id: space_id } = await givenSpace(ada);
    await join(ada, space_id, { organization_id: yard.id });
    await join(ada, space_id, { contact_id: hidden.id });
    const times = ['2093-07-02T09:00:00Z', '2093-07-02T10:00:00Z'] as const;
    await event('with Ola', ...times, { attendees: [{ email_address: 'ola@yard.example' }] });
    const other = await event('with Kim', ...times, { attendees: [{ email_address: 'kim@yard.example' }] });
    expect((await names({ space_id })).sort()).toEqual(['with Kim', 'with Ola']);
    await shareMailbox(ada, own.mailbox_id, grace);
    expect(await names({ space_id }, grace)).toEqual(['with Ola']);
    // Of more people than there are lists to read, each event is checked.
    const addresses = Array.from({ length: 1_001 }, (_, i) => `stranger-${i}@crowd.example`);
    await workspace.table.put({ ...keys.ownerRow('spaces', space_id, 'crowd'), addresses });
    expect((await names({ space_id })).sort()).toEqual(['with Kim', 'with Ola']);
    expect(await names({ space_id }, grace)).toEqual(['with Ola']);

    const tag_id = (await ada.api.createTag({ body: { tag: { name: 'Yards' } } })).body.tag.id;
    const tagged = await givenSpace(ada, { kind: 'tags', tag_ids: [tag_id] });
    const params = { record_type: 'calendar_events' as const, record_id: other.id };
    await ada.api.applyTag({ params, body: { tag_id } });
    expect(await names({ space_id: tagged.id })).toEqual(['with Kim']);
    const query = { space_id: (await givenSpace(grace, { visibility: 'private' })).id };
    expect(await codeOf(ada.reader.listCalendarEvents({ query }))).toBe('404 record_not_found');
  });

  it('200: of a mailbox and of a calendar; 404 for those without access', async () => {
    const other = await givenCalendar(workspace, grace);
    await givenEvent(grace, other.calendar_id, {
      name: 'hers',
      starts_at: '2093-08-01T09:00:00Z',
      ends_at: '2093-08-01T10:00:00Z',
    });
    const [{ calendar_id, mailbox_id }] = [other];
    for (const query of [{ calendar_id }, { mailbox_id }])
      expect(await codeOf(ada.reader.listCalendarEvents({ query }))).toBe('404 record_not_found');
    await shareMailbox(grace, mailbox_id, ada);
    for (const query of [{ calendar_id }, { mailbox_id }]) expect(await names(query)).toEqual(['hers']);
  });

  it.each([
    [{ slice: 'tomorrow' }, { slice: 'invalid' }],
    [{ starts_after: 'soon' }, { starts_after: 'invalid_format' }],
    [{ limit: 0 }, { limit: 'invalid' }],
    [{ contact_id: 'x' }, { contact_id: 'invalid_format' }],
    [{ participant: 'x' }, { participant: 'invalid_format' }],
    [{ query: 'a'.repeat(501) }, { query: 'too_long' }],
  ])('400: %j', async (query, problems) => {
    expect(await problemsOf(ada.reader.listCalendarEvents({ query: query as never }))).toEqual(problems);
  });

  it.each(['contact_id', 'organization_id', 'space_id', 'tags'])(
    '404: %s of what is not there',
    async (name) => {
      const query = { [name]: randomUUID() };
      expect(await codeOf(ada.reader.listCalendarEvents({ query }))).toBe('404 record_not_found');
    },
  );

  it('400: a cursor of another list, of another direction, or of another user', async () => {
    const { next_cursor } = (await list({ limit: 1 })).page_info;
    const call = (query: object, user = ada) => user.reader.listCalendarEvents({ query: query as never });
    expect(await codeOf(call({ next_cursor, prev_cursor: next_cursor }))).toBe('400 invalid_request');
    for (const query of [{ next_cursor, slice: 'week' }, { prev_cursor: next_cursor }, { next_cursor: 'x' }])
      expect(await codeOf(call(query))).toBe('400 invalid_cursor');
    expect(await codeOf(call({ next_cursor }, grace))).toBe('400 invalid_cursor');
    expect((await list({ limit: 1_000 })).page_info.limit).toBe(250);
  });
});
