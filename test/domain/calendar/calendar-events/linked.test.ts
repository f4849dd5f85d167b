import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runIndexings } from '../../../support/duplicates.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../../support/events.ts';
import { givenFile } from '../../../support/files.ts';
import { longIt } from '../../../support/long.ts';
import { givenTask } from '../../../support/proposed-records.ts';
import { runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Tasks and files that are linked to events are seen by those who see the event (docs/specification/records.md, "Visibility"). */
describe('what is linked to an event', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const there = (asked: Promise<unknown>) => asked.then(() => 1).catch(() => 0);

  /** How often the user finds the task, and the file, in each place. */
  async function seenBy({ reader }: TestUser, { task, file, event }: Linked) {
    const [tasks, task_count, files, file_count, read] = await Promise.all([
      reader.listTasks({ query: { calendar_event_id: event } }).catch(() => undefined),
      reader.countTasks({ query: {} }),
      reader.listFiles({ query: {} }),
      reader.countFiles({ query: {} }),
      reader.retrieveCalendarEvent({ params: { id: event } }).catch(() => undefined),
    ]);
    const all = (await reader.listTasks({ query: {} })).body.collection.records;
    return {
      task: await there(reader.retrieveTask({ params: { id: task } })),
      tasks: all.length,
      task_count: task_count.body.count.total,
      tasks_of_event: tasks?.body.collection.records.length ?? 0,
      event_tasks: read?.body.calendar_event.tasks?.length ?? 0,
      file: await there(reader.retrieveFile({ params: { id: file } })),
      files: files.body.collection.records.length,
      file_count: file_count.body.count.total,
    };
  }
  const everywhere = (times: 0 | 1) => ({
    ...{ task: times, tasks: times, task_count: times, tasks_of_event: times, event_tasks: times },
    ...{ file: times, files: times, file_count: times },
  });

  interface Linked {
    /** The single event, or the series. */
    whole: string;
    /** The event, or an occurrence of the series. */
    event: string;
    task: string;
    file: string;
  }

  const series = { time_zone: 'Europe/London', recurrence: ['FREQ=WEEKLY;COUNT=4'] };

  async function given(fields: object, { shared = false } = {}): Promise<Linked> {
    const { calendar_id, mailbox_id } = await givenCalendar(workspace, ada);
    if (shared) await shareMailbox(ada, mailbox_id, grace);
    const { id: whole } = await givenEvent(ada, calendar_id, fields);
    const listed = await allEvents(ada, {
      calendar_id,
      starts_after: '2026-11-01',
      starts_before: '2027-01-01',
    });
    const event = listed.at(-1)?.id ?? '';
    const task = await givenTask(ada, { calendar_event_id: event });
    const links = [{ type: 'calendar_events' as const, id: event }];
    const file = await givenFile(workspace, ada, { visibility: 'linked', links });
    return { whole, event, task: task.id, file: file.id };
  }

  const change = (id: string, calendar_event: object) =>
    ada.api.updateCalendarEvent({ params: { id }, body: { calendar_event } });

  let linked: Linked;
  afterEach(async () => {
    await ada.api.deleteTask({ params: { id: linked.task } });
    await ada.api.deleteFile({ params: { id: linked.file } });
  });

  const jobsDone = async () => {
    await runRemovals(workspace);
    await runIndexings(workspace);
  };

  const invited = () => ({ attendees: [{ email_address: grace.user.email_address }] });
  const share = async (id: string) =>
    (
      await ada.api.createShare({
        params: { record_type: 'calendar_events', record_id: id },
        body: { share: { user_id: grace.user.id } },
      })
    ).body.share.id;

  describe.each([
    ['a single event', {}],
    ['an occurrence of a series', series],
  ])('%s', (_, fields) => {
    const often = fields === series ? it : longIt;

    it('follows an invitation and its end', async () => {
      linked = await given(fields);
      expect(await seenBy(grace, linked)).toEqual(everywhere(0));
      await change(linked.whole, invited());
      expect(await seenBy(grace, linked)).toEqual(everywhere(1));
      await change(linked.whole, { attendees: [] });
      expect(await seenBy(grace, linked)).toEqual(everywhere(0));
      expect(await seenBy(ada, linked)).toEqual(everywhere(1));
    });

    often('follows privacy and its end', async () => {
      linked = await given(fields, { shared: true });
      expect(await seenBy(grace, linked)).toEqual(everywhere(1));
      await change(linked.whole, { private: true });
      expect(await seenBy(grace, linked)).toEqual(everywhere(0));
      await change(linked.whole, { private: false });
      expect(await seenBy(grace, linked)).toEqual(everywhere(1));
    });

    often('follows a share and its end', async () => {
      linked = await given(fields);
      const id = await share(linked.whole);
      expect(await seenBy(grace, linked)).toEqual(everywhere(1));
      const params = { record_type: 'calendar_events' as const, record_id: linked.whole, id };
      await ada.api.deleteShare({ params });
      expect(await seenBy(grace, linked)).toEqual(everywhere(0));
    });
  });

  it('follows the deletion of a series, and its return', async () => {
    linked = await given({ ...series, ...invited() });
    expect(await seenBy(grace, linked)).toEqual(everywhere(1));
    await ada.api.deleteCalendarEvent({ params: { id: linked.whole } });
    await jobsDone();
    expect(await seenBy(grace, linked)).toEqual(everywhere(0));
    const params = { record_type: 'calendar_events' as const, record_id: linked.whole };
    await ada.api.restoreRecord({ params });
    await jobsDone();
    expect(await seenBy(grace, linked)).toEqual(everywhere(1));
  });

  longIt('follows what an occurrence has of its own, also when its item says the same', async () => {
    linked = await given(series, { shared: true });
    await change(linked.whole, { private: true });
    expect(await seenBy(grace, linked)).toEqual(everywhere(0));
    await change(linked.event, { private: false });
    expect(await seenBy(grace, linked)).toEqual(everywhere(1));
  });
});
