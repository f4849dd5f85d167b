import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { visibility } from '#shared/composition/visibility.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { eventIndex } from '#shared/domain/calendar/calendar-events/lists.ts';
import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import { MOST_OF_TEXT } from '#shared/domain/collaboration/history/difference.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { Space } from '#shared/domain/crm/spaces/space.ts';
import { openSession } from '#shared/domain/identity/sessions/open.ts';
import type { Draft, DraftRecord } from '#shared/domain/mail/drafts/draft.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { milestoneLimit } from '#shared/domain/work/milestones/limit.ts';
import { milestoneIndex } from '#shared/domain/work/milestones/lists.ts';
import type { Milestone } from '#shared/domain/work/milestones/milestone.ts';
import { taskIndex } from '#shared/domain/work/tasks/lists.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { operations } from '../../functions/catalogue.ts';
import { givenLargeBriefings } from '../support/briefings.ts';
import { givenComment } from '../support/comments.ts';
import { givenConversation } from '../support/conversations.ts';
import { createDraft } from '../support/drafts.ts';
import { givenCalendar, givenEvent } from '../support/events.ts';
import { givenFile } from '../support/files.ts';
import {
  ESCAPED,
  givenGroups,
  givenLongComments,
  givenReactionsOfMany,
  givenReplies,
  givenTags,
  givenThreads,
  givenUsers,
  sharesWithMany,
  threadShares,
  WIDE,
  write,
} from '../support/large-data.ts';
import { givenApiKeys, givenMailboxes, givenRejected, REASON } from '../support/large-lists.ts';
import { type Asked, type LargeResponse, readLarge } from '../support/large-response.ts';
import { givenMessages, htmlBody } from '../support/large-threads.ts';
import { listedCopies } from '../support/listed.ts';
import { rounds } from '../support/long.ts';
import { givenCopies, givenPipeline } from '../support/pipelines.ts';
import { bearer } from '../support/raw.ts';
import { visit } from '../support/sessions.ts';
import { type GivenThread, givenThread } from '../support/threads.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** The largest records that may be stored, read through the gateway: too large for a buffered response of Lambda. */

let workspace: Workspace;
let thread: GivenThread;
let tag_ids: string[];
/** Of Linus. */
let mailbox_ids: string[];
const SHARED = 200;
beforeAll(async () => {
  workspace = await startWorkspace();
  thread = await givenThread(workspace, { users: [workspace.ada] });
  tag_ids = await givenTags(workspace, 1_000);
  mailbox_ids = await givenMailboxes(workspace, workspace.linus, { count: 4_500, shared: SHARED });
}, 120_000);
afterAll(() => workspace?.stop());
// A minute later, for the limits of requests.
let minutes = 0;
beforeEach(() => workspace.setTime(new Date(Date.now() + ++minutes * 61_000)));

const read = (path: string, asked?: Asked) => readLarge(workspace, path, asked);

const many3 = (text: string) => [`${text}1`, `${text}2`, `${text}3`];

/** An import as stored. */
function givenImport({ id: user_id, account_id }: Workspace['linus']['user']) {
  const id = newId(new Date());
  return {
    ...{ ...keys.recordImport(user_id, id), id, account_id, user_id, upload_id: id, job_id: id },
    ...{
      file_name: 'a.csv',
      size: 1,
      record_type: 'contacts',
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ',',
    },
    ...{
      date_order: null,
      pipeline_id: null,
      calendar_id: null,
      dry_run: true,
      status: 'complete',
      columns: [],
      error: null,
      run: 1,
    },
    ...{ rows_read: 0, rows_created: 0, rows_updated: 0, rows_unchanged: 0, rows_failed: 0, begin: 0 },
    ...{
      position: { offset: 0, row: 0 },
      created_at: new Date().toISOString(),
      started_at: null,
      finished_at: null,
    },
  };
}

/** Stored copies of a record, in the same lists. */
async function givenLike<R extends GuardedItem>(
  index: RecordIndex<R>,
  id: string,
  count: number,
  fieldsOf: (id: string) => object = () => ({}),
): Promise<void> {
  const model = (await workspace.table.get<R>(keys.record(index.type, id))) as R;
  await write(
    workspace,
    await listedCopies(workspace.table, index, { model, count }, (_, id) => fieldsOf(id)),
  );
}

/** A page of contacts with the same links and many tags. */
async function givenLargeContacts(name: string): Promise<string[]> {
  const links = Array(100).fill({ url: `https://acme.example/${'a'.repeat(700)}`, label: null });
  const ids: string[] = [];
  for (let i = 0; i < 50; i++) {
    const contact = { name: `${name} ${i}`, links };
    const { id } = (await workspace.ada.api.createContact({ body: { contact } })).body.contact;
    await workspace.table.update<Contact>(keys.record('contacts', id), {
      add: { tag_ids: new Set(tag_ids.slice(0, 100)) },
    });
    ids.push(id);
  }
  return ids;
}

const FULL = 90;
/** Events with long texts and many attendees, made once for all that read them: as many as a file may have. */
async function givenFullCalendar() {
  const calendar = await givenCalendar(workspace, workspace.ada);
  const attendees = Array.from({ length: 100 }, (_, i) => ({
    email_address: `${i}@${'a'.repeat(60)}.example`,
  }));
  const { id } = await givenEvent(workspace.ada, calendar.calendar_id, {
    ...{ name: 'Meeting', description_html: WIDE.repeat(10_000), attendees },
  });
  await givenLike(eventIndex, id, FULL - 1);
  return calendar;
}

let full: ReturnType<typeof givenFullCalendar> | undefined;
const fullCalendar = () => (full ??= givenFullCalendar());

async function givenMeeting(): Promise<string> {
  const { calendar_id } = await givenCalendar(workspace, workspace.ada);
  return (await givenEvent(workspace.ada, calendar_id)).id;
}

async function givenDiscussed(): Promise<string> {
  const id = await givenMeeting();
  await givenLongComments(workspace, workspace.ada, { type: 'calendar_events', id }, 10);
  return id;
}

/** Some eight hours of one word every 300 ms. */
const SEGMENTS = 100_000;
const segments = Array(SEGMENTS).fill({ started_ms: 0, ended_ms: 0, text: 'a' });
const LONG_TRANSCRIPT = JSON.stringify({ transcript: { segments } });

/** Every operation that streams has a case under its name. */
const cases: Record<string, () => Promise<void>> = {
  async listTags() {
    expect((await read('/tags')).collection.records).toHaveLength(1_000);
  },

  async listThreads() {
    const mailbox = (await givenThread(workspace, { users: [workspace.ada] })).mailbox_id;
    const of = {
      count: 60,
      subject: WIDE.repeat(1_000),
      participants: 1_300,
      tag_ids: tag_ids.slice(0, 100),
    };
    await givenThreads(workspace, workspace.ada, mailbox, of);
    const { records } = (await read(`/threads?mailbox_id=${mailbox}`)).collection;
    expect(records).toHaveLength(50);
    // The second thread is the one that came with the mailbox.
    const large = records.filter(({ participant_count }) => participant_count === 1_300);
    expect(large.length).toBeGreaterThanOrEqual(49);
    for (const record of large) {
      expect(record.tags).toHaveLength(100);
      expect(Object.keys(record.participants as object)).toHaveLength(100);
      expect(Object.keys(record.participant_names as object)).toHaveLength(100);
    }
  },

  async listOpenThreads() {
    const { grace } = workspace;
    const { mailbox_id } = await givenThread(workspace, { users: [grace] });
    const of = { count: 2_500, subject: WIDE.repeat(200), participants: 101 };
    await givenThreads(workspace, grace, mailbox_id, of);
    const { inbox } = (await read('/threads/open', { reader: grace })) as unknown as {
      inbox: { unread: { participant_count: number; participant_names: object }[] };
    };
    expect(inbox.unread.length).toBeGreaterThanOrEqual(2_500);
    for (const entry of inbox.unread.filter(({ participant_count }) => participant_count === 101))
      expect([100, 1]).toContain(Object.keys(entry.participant_names).length);
  },

  async retrieveThread() {
    const body = htmlBody('語'.repeat(100_000));
    await givenMessages(workspace, thread, 700, () => ({ body }));
    await givenLongComments(workspace, workspace.ada, { type: 'threads', id: thread.id }, 40);
    const response = (await read(`/threads/${thread.id}`)) as unknown as {
      thread: { messages: { body: { truncated: boolean } }[]; comments: unknown[] };
    };
    expect(response.thread.messages).toHaveLength(700);
    expect(response.thread.messages.at(-1)?.body.truncated).toBe(false);
    expect(response.thread.messages[0]?.body.truncated).toBe(true);
    expect(response.thread.comments.length).toBeGreaterThan(20);
  },

  async listComments() {
    const { comments } = (await read(`/threads/${thread.id}/comments`)) as unknown as { comments: object[] };
    expect(comments.length).toBeGreaterThan(20);
    expect(comments.at(-1)).toMatchObject({ json_content: expect.stringContaining(WIDE) });
  },

  async updateComment() {
    const of = await givenThread(workspace, { users: [workspace.ada] });
    const { id } = await givenComment(workspace.ada, of);
    await givenReactionsOfMany(workspace, of, id, 6_000);
    const body = JSON.stringify({ comment: { html_content: '<p>Changed</p>' } });
    const { comment } = (await read(`/comments/${id}`, { method: 'PATCH', body })) as unknown as {
      comment: { reactions: unknown[] };
    };
    expect(comment.reactions).toHaveLength(6_000);
  },

  async listContacts() {
    await givenLargeContacts('Contact');
    expect((await read('/contacts')).collection.records).toHaveLength(50);
  },

  async listDuplicates() {
    const [id] = await givenLargeContacts('Duplicate');
    const response = await read(`/contacts/${id}/duplicates`);
    expect(response.collection.records.length).toBeGreaterThanOrEqual(49);
  },

  async retrieveContact() {
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Zoe' } } });
    await givenLongComments(workspace, workspace.ada, { type: 'contacts', id: body.contact.id }, 10);
    await read(`/contacts/${body.contact.id}`);
  },

  async listOrganizations() {
    const links = Array(100).fill({ url: `https://acme.example/${'a'.repeat(700)}`, label: null });
    const organization = { name: 'Organization', links };
    const { id } = (await workspace.ada.api.createOrganization({ body: { organization } })).body.organization;
    await workspace.table.update<Organization>(keys.record('organizations', id), {
      add: { tag_ids: new Set(tag_ids.slice(0, 100)) },
    });
    await givenLike(organizationIndex, id, 49);
    expect((await read('/organizations')).collection.records).toHaveLength(50);
  },

  async retrieveOrganization() {
    const organization = { name: 'Zoe & Co' };
    const { id } = (await workspace.ada.api.createOrganization({ body: { organization } })).body.organization;
    await givenLongComments(workspace, workspace.ada, { type: 'organizations', id }, 10);
    await read(`/organizations/${id}`);
  },

  async listTasks() {
    const description = WIDE.repeat(20_000);
    const { task } = (await workspace.ada.api.createTask({ body: { task: { name: 'Task', description } } }))
      .body;
    await givenLike(taskIndex(visibility.records), task.id, 99);
    expect((await read('/tasks?limit=100')).collection.records).toHaveLength(100);
  },

  async listFiles() {
    // A control character, of six bytes in JSON.
    const description = '\u0001'.repeat(20_000);
    for (let i = 0; i < 50; i++) {
      const { id } = await givenFile(workspace, workspace.ada, { name: `File ${i}`, description });
      await workspace.table.update<File>(keys.record('files', id), {
        add: { tag_ids: new Set(tag_ids.slice(0, 100)) },
      });
    }
    expect((await read('/files')).collection.records).toHaveLength(50);
  },

  async retrieveFile() {
    const { id } = await givenFile(workspace, workspace.ada);
    await givenLongComments(workspace, workspace.ada, { type: 'files', id }, 10);
    await read(`/files/${id}`);
  },

  async listCalendars() {
    const { table, account_id, linus } = workspace;
    const more = { name: WIDE.repeat(255), description: WIDE.repeat(20_000) };
    const changed = mailbox_ids.slice(0, 200).map((id) => ({
      put: { ...keys.calendar(account_id, calendarIdOf(id)), ...more },
    }));
    await table.writeMany(changed);
    const { records } = (await read('/calendars', { reader: linus })).collection;
    expect(records.length).toBeGreaterThanOrEqual(mailbox_ids.length);
    expect(records.filter(({ description }) => description === more.description)).toHaveLength(200);
  },

  async listCalendarEvents() {
    const { calendar_id } = await fullCalendar();
    const { records } = (
      await read(`/calendar_events?calendar_id=${calendar_id}&limit=250&starts_before=2027-01-01`)
    ).collection;
    expect(records).toHaveLength(FULL);
  },

  async listDailyBriefings() {
    const dates = Array.from({ length: 30 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`);
    await givenLargeBriefings(workspace, workspace.ada, dates);
    const response = await read('/daily_briefings');
    expect((response as unknown as { daily_briefings: unknown[] }).daily_briefings).toHaveLength(30);
  },

  async showDashboard() {
    const { calendar_id } = await givenCalendar(workspace, workspace.ada);
    const now = workspace.ctx.now.getTime();
    const hours = (from: number) => new Date(now + from * 3_600_000).toISOString();
    for (let i = 0; i < 10; i++) {
      const times = { starts_at: hours(-1), ends_at: hours(3) };
      const { id } = await givenEvent(workspace.ada, calendar_id, times);
      await workspace.table.update<CalendarEvent>(keys.record('calendar_events', id), {
        set: { tag_ids: new Set(tag_ids) },
      });
    }
    await read('/dashboard');
  },

  async retrieveCalendarEvent() {
    await read(`/calendar_events/${await givenDiscussed()}`);
  },

  async retrieveCalendarIcs() {
    await read(`/calendars/${(await fullCalendar()).calendar_id}/ics`);
  },

  async retrieveCalendarEventIcs() {
    const { calendar_id } = await givenCalendar(workspace, workspace.ada);
    const { id } = await givenEvent(workspace.ada, calendar_id, {
      ...{ time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=100'] },
    });
    const query = { calendar_id, starts_after: '2026-11-01', limit: 100 as never };
    const { records } = (await workspace.ada.api.listCalendarEvents({ query })).body.collection;
    for (const { id } of records)
      await workspace.ada.api.updateCalendarEvent({
        params: { id },
        body: { calendar_event: { description_html: WIDE.repeat(10_000) } },
      });
    await read(`/calendar_events/${id}/ics`);
  },

  async updateCalendarEvent() {
    const body = JSON.stringify({ calendar_event: { location: 'Pier 3' } });
    await read(`/calendar_events/${await givenDiscussed()}`, { method: 'PATCH', body });
  },

  async respondToCalendarEvent() {
    const body = JSON.stringify({ response: 'accepted' });
    await read(`/calendar_events/${await givenDiscussed()}/response`, { method: 'POST', body });
  },

  async remindOfCalendarEvent() {
    const body = JSON.stringify({ reminders: [10] });
    await read(`/calendar_events/${await givenDiscussed()}/reminders`, { method: 'POST', body });
  },

  async createTranscript() {
    const path = `/calendar_events/${await givenMeeting()}/transcript`;
    await read(path, { method: 'POST', body: LONG_TRANSCRIPT, status: 201 });
  },

  async retrieveTranscript() {
    const path = `/calendar_events/${await givenMeeting()}/transcript`;
    await read(path, { method: 'POST', body: LONG_TRANSCRIPT, status: 201 });
    const { segments } = (await read(path)).transcript as unknown as { segments: unknown[] };
    expect(segments).toHaveLength(SEGMENTS);
  },

  async listDeals() {
    const description = WIDE.repeat(20_000);
    const { deal } = (await workspace.ada.api.createDeal({ body: { deal: { name: 'Deal', description } } }))
      .body;
    await givenLike(dealIndex, deal.id, 99);
    expect((await read('/deals?per_page=100')).collection.records).toHaveLength(100);
  },

  async retrieveDeal() {
    const { id } = (await workspace.ada.api.createDeal({ body: { deal: { name: 'Zoe' } } })).body.deal;
    await givenLongComments(workspace, workspace.ada, { type: 'deals', id }, 10);
    await read(`/deals/${id}`);
  },

  async listMilestones() {
    const { ada, table } = workspace;
    const description = ESCAPED.repeat(20_000);
    const milestone = { name: WIDE.repeat(255) };
    const { id } = (await ada.api.createMilestone({ body: { milestone } })).body.milestone;
    const sharesOf = (id: string) => sharesWithMany({ type: 'milestones', id });
    await table.update<Milestone>(keys.record('milestones', id), {
      set: { description, shares: sharesOf(id) },
    });
    const count = rounds(60, milestoneLimit.most);
    await givenLike(milestoneIndex, id, count - 1, (id) => ({
      shares: sharesOf(id),
    }));
    const { records } = (await read('/milestones')).collection;
    expect(records).toHaveLength(count);
    for (const record of records) expect(record).toMatchObject({ description, shares: { length: 100 } });
  },

  async listSpaces() {
    const { ada, table } = workspace;
    const description = ESCAPED.repeat(20_000);
    for (let i = 0; i < 100; i++) {
      const space = { name: WIDE.repeat(255), kind: 'records' as const };
      const { id } = (await ada.api.createSpace({ body: { space } })).body.space;
      const shares = sharesWithMany({ type: 'spaces', id });
      await table.update<Space>(keys.record('spaces', id), { set: { description, shares } });
    }
    const { records } = (await read('/spaces')).collection;
    const large = records.filter((record) => record.description === description);
    expect(large).toHaveLength(100);
    for (const record of large) expect(record).toMatchObject({ shares: { length: 100 } });
  },

  async retrieveSpace() {
    const space = { name: 'Zoe', kind: 'records' as const };
    const { id } = (await workspace.ada.api.createSpace({ body: { space } })).body.space;
    await givenLongComments(workspace, workspace.ada, { type: 'spaces', id }, 10);
    await read(`/spaces/${id}`);
  },

  async listPipelines() {
    const stages = Array.from({ length: 50 }, (_, i) => ({
      name: `${i} ${WIDE.repeat(252)}`,
      color: '#2F6FED',
    }));
    const { id } = await givenPipeline(workspace.ada, WIDE.repeat(255), { stages });
    await givenCopies(workspace.table, workspace.account_id, id, 98);
    const response = await read('/pipelines');
    expect((response as unknown as { pipelines: unknown[] }).pipelines).toHaveLength(100);
  },

  async listUsers() {
    await givenUsers(workspace, workspace.ada, 500);
    expect((await read('/users')).collection.records.length).toBeGreaterThan(500);
  },

  async listGroups() {
    const users = (await workspace.ada.reader.listUsers()).body.collection.records.map(({ id }) => id);
    await givenGroups(workspace, workspace.ada, users.slice(0, 90), 500);
    const { records } = (await read('/groups')).collection;
    expect(records).toHaveLength(500);
    expect(records[0]?.users).toHaveLength(90);
  },

  async listMessages() {
    const id = await givenConversation(workspace.ada);
    await givenReplies(workspace, workspace.ada, id, Array(100).fill([]));
    const response = await read(`/conversations/${id}/messages?limit=100`);
    expect((response as unknown as { messages: unknown[] }).messages).toHaveLength(100);
  },

  /** As many mailboxes of others as fit in a user's item. */
  async listMailboxes() {
    const { records } = (await read('/mailboxes', { reader: workspace.linus })).collection;
    expect(records).toHaveLength(mailbox_ids.length);
  },

  async listDrafts() {
    const { linus, table } = workspace;
    const mailbox_id = (await givenThread(workspace, { users: [linus] })).mailbox_id;
    const to_email_addresses = Array.from({ length: 200 }, (_, i) => `${i}@${'a'.repeat(50)}.example`);
    const { id } = await createDraft(linus, {
      ...{ mailbox_id, to_email_addresses, body: '"'.repeat(100_000) },
    });
    const first = await table.get<Draft>(keys.draft(linus.user.id, id));
    const copies = Array.from({ length: 499 }, () => newId(new Date()));
    await write(
      workspace,
      copies.map((copy) => ({ ...first, ...keys.draft(linus.user.id, copy), id: copy })),
    );
    const { drafts } = (await read('/drafts', { reader: linus })) as unknown as { drafts: DraftRecord[] };
    expect(drafts).toHaveLength(500);
    for (const draft of drafts)
      expect(draft).toMatchObject({
        to_email_addresses,
        body: expect.toBeOneOf([null, '"'.repeat(100_000)]),
      });
    expect([drafts[0]?.body === null, drafts.at(-1)?.body]).toEqual([false, null]);
  },

  async restoreRecord() {
    const { api } = workspace.ada;
    const { id } = (await api.createDeal({ body: { deal: { name: 'Zoe' } } })).body.deal;
    await givenLongComments(workspace, workspace.ada, { type: 'deals', id }, 10);
    await api.deleteDeal({ params: { id } });
    await read(`/deals/${id}/restore`, { method: 'POST' });
  },

  async listHistory() {
    const { id } = (await workspace.ada.api.createDeal({ body: { deal: { name: 'Zoe' } } })).body.deal;
    const text = ESCAPED.repeat(MOST_OF_TEXT);
    const changes = Array.from({ length: 16 }, (_, i) => ({
      ...{ field: `field_${i}`, before: text, after: `${text}${i}`, cut: true },
    }));
    for (let i = 0; i < 100; i++) {
      const entry = newId(new Date());
      await workspace.table.put({
        ...keys.historyEntry('deals', id, Date.now(), entry),
        ...{ id: entry, user_id: null, changed_at: new Date().toISOString() },
        changes: JSON.stringify(changes),
      });
    }
    const { records } = (await read(`/deals/${id}/history?limit=100`)).collection;
    expect(records).toHaveLength(100);
    for (const record of records) expect(record.changes).toEqual(changes);
  },

  async listShares() {
    const { linus, table } = workspace;
    const { id } = await givenThread(workspace, { users: [linus] });
    const through = new Set(mailbox_ids.slice(0, SHARED));
    const shares = threadShares(id, []);
    await table.update<Thread>(keys.record('threads', id), {
      set: { shares },
      add: { mailbox_ids: through },
    });
    const response = await read(`/threads/${id}/shares`, { reader: linus });
    expect((response as unknown as { shares: unknown[] }).shares).toHaveLength((1 + SHARED) * 100);
  },

  async listImports() {
    const { linus } = workspace;
    const examples = many3(ESCAPED.repeat(40));
    const columns = Array.from({ length: 200 }, (_, i) => ({
      name: `${WIDE.repeat(97)}${i}`,
      field: null,
      examples,
    }));
    const imports = Array.from({ length: 100 }, () => ({ ...givenImport(linus.user), columns }));
    await write(workspace, imports);
    expect((await read('/imports?limit=100', { reader: linus })).collection.records).toHaveLength(100);
  },

  async listImportRows() {
    const { linus, table } = workspace;
    const found = givenImport(linus.user);
    await table.put(found);
    const fields = Array.from({ length: 10 }, (_, i) => ({
      ...{ field: `mapping.${WIDE.repeat(255)}${i}`, code: 'invalid', message: ESCAPED.repeat(200) },
    }));
    for (let number = 1; number <= 500; number++) {
      const error = { code: 'invalid_request', message: ESCAPED.repeat(300), fields };
      const results = [{ number, status: 'failed', error }];
      await table.put({ ...keys.importRows(found.id, 1, number), results });
    }
    const { records } = (await read(`/imports/${found.id}/rows?limit=500`, { reader: linus })).collection;
    expect(records).toHaveLength(500);
  },

  async listExports() {
    const { linus, table } = workspace;
    for (let i = 0; i < 100; i++) {
      const id = newId(new Date());
      const filters = Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`filter_${n}`, WIDE.repeat(1_000)]),
      );
      await table.put({
        ...{
          ...keys.recordExport(linus.user.id, id),
          id,
          account_id: linus.user.account_id,
          user_id: linus.user.id,
        },
        ...{
          record_type: 'contacts',
          format: 'csv',
          filters,
          status: 'pending',
          records_written: 0,
          size: null,
        },
        ...{
          file_name: 'a.csv',
          error: null,
          created_at: new Date().toISOString(),
          finished_at: null,
          expires_at: null,
        },
      });
    }
    expect((await read('/exports?limit=100', { reader: linus })).collection.records).toHaveLength(100);
  },

  async listApiKeys() {
    await givenApiKeys(workspace, 60);
    const response = await read('/api_keys', { key: workspace.ada.session_token });
    expect((response as unknown as { api_keys: unknown[] }).api_keys.length).toBeGreaterThan(6_000);
  },

  async listSessions() {
    const { user } = workspace.linus;
    const opened = Array.from({ length: 12_000 }, () =>
      openSession({ ...visit(workspace), user_agent: WIDE.repeat(500) }, user),
    );
    await workspace.table.writeMany(opened.map(({ session }) => ({ put: session })));
    const response = await read('/sessions', { key: workspace.linus.session_token });
    expect((response as unknown as { sessions: unknown[] }).sessions.length).toBeGreaterThan(12_000);
  },

  async listProposals() {
    await givenRejected(workspace, workspace.grace, 100);
    const response = await read('/proposals?status=rejected&per_page=100', { reader: workspace.grace });
    expect(response.collection.records).toHaveLength(100);
    for (const record of response.collection.records)
      expect(record).toMatchObject({ resolution_reason: REASON });
  },
};

test.each(Object.entries(cases))('%s', { timeout: 300_000 }, async (_, run) => {
  await run();
});

test('compresses for clients that accept it', async () => {
  const headers = [bearer(workspace.ada.read_key), ['Accept-Encoding', 'gzip'] as [string, string]];
  const response = await fetch(`${workspace.url}/tags`, { headers: Object.fromEntries(headers) });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(((await response.json()) as LargeResponse).collection.records).toHaveLength(1_000);
});

test('every operation that streams has a case', () => {
  const streaming = operations.flatMap(({ name, definition }) => (definition.streams ? name : []));
  expect(streaming.filter((name) => !Object.hasOwn(cases, name))).toEqual([]);
  expect(Object.keys(cases).filter((name) => !streaming.includes(name))).toEqual([]);
});
