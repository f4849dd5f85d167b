import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenEvent, shareMailbox } from '../../../support/events.ts';
import { givenUpload } from '../../../support/files.ts';
import { longIt } from '../../../support/long.ts';
import { givenMilestone, givenStep } from '../../../support/milestones.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { runTool, toolContext } from '../../../support/tool-context.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What the assistant finds of events, files, spaces, milestones, pipelines and duplicates, as the user who asked sees it. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let calendar: { calendar_id: string; mailbox_id: string };
beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace } = workspace);
  calendar = await givenCalendar(workspace, ada);
  await shareMailbox(ada, calendar.mailbox_id, grace);
});
afterAll(() => workspace.stop());

const asGrace = () => toolContext(workspace, grace);
const NOTHING = 'no such record';

describe('tools for events', () => {
  const at = (day: string) => ({ starts_at: `${day}T09:00:00Z`, ends_at: `${day}T10:00:00Z` });

  longIt('find events by window, words and people, and name those who come', async () => {
    const tom = await givenContact(ada, {
      name: 'Tom',
      email_addresses: [{ email_address: 'tom@events.example' }],
    });
    const { calendar_id } = calendar;
    const attendees = [{ email_address: 'tom@events.example' }];
    const first = await givenEvent(ada, calendar_id, { name: 'Hull talk', ...at('2027-02-01'), attendees });
    const second = await givenEvent(ada, calendar_id, { name: 'Sail talk', ...at('2027-02-02') });
    const secret = { name: 'Hull secret', ...at('2027-02-03'), private: true };
    await givenEvent(ada, calendar_id, secret);
    const context = await asGrace();
    const window = { starts_after: '2027-02-01T00:00:00Z', starts_before: '2027-03-01T00:00:00Z' };
    const all = await runTool(context, 'search_events', window);
    expect(all.events.map(({ name }) => name)).toEqual(['Hull talk', 'Sail talk', 'busy']);
    expect(all.events[0]).toMatchObject({ id: first.id, people: expect.arrayContaining(['Tom']) });
    const named = (input: object) =>
      runTool(context, 'search_events', { ...window, ...input }).then(({ events }) =>
        events.map(({ id }) => id),
      );
    expect(await named({ query: 'hull' })).toEqual([first.id]);
    expect(await named({ participant: 'tom@events.example' })).toEqual([first.id]);
    expect(await named({ contact_id: tom.id })).toEqual([first.id]);
    expect(await named({ query: 'sail' })).toEqual([second.id]);
    expect(context.given).toContain(`calendar_event ${first.id}`);
    expect(context.given).toContain(`contact ${tom.id}`);
    const others = await runTool(await toolContext(workspace, workspace.linus), 'search_events', window);
    expect(others).toEqual({ events: [], more: false });
  });

  it('stop after twenty events, and say that there are more', async () => {
    const series = { ...at('2027-06-01'), time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=25'] };
    await givenEvent(ada, calendar.calendar_id, { name: 'Daily', ...series });
    const { events, more } = await runTool(await asGrace(), 'search_events', {
      starts_after: '2027-06-01T00:00:00Z',
      query: 'daily',
    });
    expect([events.length, more]).toEqual([20, true]);
  });

  it('list the calendars, and whether events can be created there', async () => {
    const own = await givenCalendar(workspace, grace);
    const { calendars } = await runTool(await asGrace(), 'list_calendars', {});
    const shown = calendars.map(({ id, own: mine, may_create }) => ({ id, mine, may_create }));
    expect(shown).toContainEqual({ id: own.calendar_id, mine: true, may_create: true });
    expect(shown).toContainEqual({ id: calendar.calendar_id, mine: false, may_create: false });
    expect(shown).toHaveLength(2);
  });
});

describe('tools for files', () => {
  it('read and find files with what they are linked to, without what is hidden', async () => {
    const contact = await givenContact(ada, { name: 'Tom' });
    const hidden = await givenContact(ada, { visibility: 'private' });
    const upload = await givenUpload(ada);
    const file = { upload_id: upload.id, name: 'Hull plan', contact_ids: [contact.id, hidden.id] };
    const { id } = (await ada.api.createFile({ body: { file } })).body.file;
    const context = await asGrace();
    const view = await runTool(context, 'read_record', { type: 'file', id });
    expect(view).toMatchObject({
      type: 'file',
      name: 'Hull plan',
      about: [{ type: 'contact', id: contact.id, name: 'Tom' }],
    });
    const found = await runTool(context, 'search_files', { query: 'hull', contact_id: contact.id });
    expect(found).toMatchObject({ files: [{ id }], more: false });
    const row = { cells: { name: 'Plan' }, ref: { type: 'file', id } };
    const table = { columns: [{ key: 'name', label: 'Name' }], rows: [row] };
    expect(await runTool(context, 'show_table', table)).toEqual({ shown: true });
    await expect(runTool(context, 'search_files', { contact_id: hidden.id })).rejects.toThrow(NOTHING);
  });
});

describe('tools for spaces and milestones', () => {
  it('read a space with the members that the user sees', async () => {
    const [tom, hidden] = [
      await givenContact(ada, { name: 'Tom' }),
      await givenContact(ada, { visibility: 'private' }),
    ];
    const space = await givenSpace(ada, { name: 'Builders' });
    for (const { id } of [tom, hidden]) await join(ada, space.id, { contact_id: id });
    const context = await asGrace();
    const { spaces } = await runTool(context, 'list_spaces', {});
    expect(spaces).toContainEqual({ id: space.id, name: 'Builders', archived: false });
    expect(await runTool(context, 'read_record', { type: 'space', id: space.id })).toMatchObject({
      type: 'space',
      contacts: [{ id: tom.id, name: 'Tom' }],
      contact_count: 1,
      organizations: [],
    });
  });

  it('read a milestone with its progress', async () => {
    const milestone = await givenMilestone(ada, { name: 'Sea trial', due_on: '2027-05-01' });
    await givenStep(ada, milestone.id);
    const context = await asGrace();
    const shown = { id: milestone.id, name: 'Sea trial', due_on: '2027-05-01', completed_task_count: 0 };
    expect((await runTool(context, 'list_milestones', {})).milestones).toContainEqual(
      expect.objectContaining(shown),
    );
    const view = await runTool(context, 'read_record', { type: 'milestone', id: milestone.id });
    expect(view).toMatchObject({ ...shown, type: 'milestone' });
  });
});

describe('tools for pipelines and duplicates', () => {
  it('list the pipelines with their stages', async () => {
    const { pipelines } = await runTool(await asGrace(), 'list_pipelines', {});
    expect(pipelines[0]).toMatchObject({ name: 'Sales', stages: expect.any(Array) });
    expect(pipelines[0]?.stages.length).toBeGreaterThan(2);
  });

  it('find who may be the same person, among those whom the user sees', async () => {
    const phone_numbers = [{ phone_number: '+44 20 7946 0777' }];
    const [one, other] = [
      await givenContact(ada, { name: 'Twin', phone_numbers }),
      await givenContact(ada, { name: 'Twin', phone_numbers }),
    ];
    await givenContact(ada, { name: 'Twin', phone_numbers, visibility: 'private' });
    const context = await asGrace();
    const { duplicates } = await runTool(context, 'find_duplicates', { contact_id: one.id });
    expect(duplicates.map(({ id }) => id)).toEqual([other.id]);
    expect(duplicates[0]?.reasons).toContain('same_phone');
    expect(context.given).toContain(`contact ${other.id}`);
  });
});

it.each([
  ['file', async () => (await hiddenFile()).id],
  ['space', async () => (await givenSpace(ada, { visibility: 'private' })).id],
  ['milestone', async () => (await givenMilestone(ada, { visibility: 'private' })).id],
  ['calendar_event', async () => (await hiddenEvent()).id],
])('a hidden %s cannot be read or shown', async (type, hidden) => {
  const id = await hidden();
  const context = await asGrace();
  await expect(runTool(context, 'read_record', { type, id })).rejects.toThrow(NOTHING);
  const table = { columns: [{ key: 'a', label: 'A' }], rows: [{ cells: {}, ref: { type, id } }] };
  await expect(runTool(context, 'show_table', table)).rejects.toThrow('No tool gave');
});

async function hiddenFile() {
  const { id: upload_id } = await givenUpload(ada);
  return (await ada.api.createFile({ body: { file: { upload_id, visibility: 'private' } } })).body.file;
}

async function hiddenEvent() {
  return givenEvent(ada, (await givenCalendar(workspace, ada)).calendar_id);
}
