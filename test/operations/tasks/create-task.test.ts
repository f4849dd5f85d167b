import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { givenContact } from '../../support/proposals.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /tasks', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  const create = (task: object, user = ada) => user.api.createTask({ body: { task } as never });
  const made = async (task: object, user = ada) => (await create({ name: 'Call', ...task }, user)).body.task;
  const read = async (id: string, user: TestUser) =>
    (await user.reader.retrieveTask({ params: { id } })).body.task;

  it('201: what was sent, of the key’s user, who is its assignee', async () => {
    const { status, body } = await create({
      name: ' Call the shipyard ',
      description: '<p onclick="x()">Before <b>noon</b></p><script>1</script>',
      due_at: '2026-11-20T09:30:00+01:00',
      priority: 'high',
      external_id: 'todo-1',
    });
    expect(status).toBe(201);
    expect(body.task).toMatchObject({
      name: 'Call the shipyard',
      description: '<p>Before <b>noon</b></p>',
      status: 'open',
      due_at: '2026-11-20T08:30:00.000Z',
      all_day: false,
      priority: 'high',
      user_id: ada.user.id,
      assigned_user_id: ada.user.id,
      completed_at: null,
      thread_id: null,
      contact_ids: [],
      organization_ids: [],
      refs: [],
      visibility: 'private',
      external_id: 'todo-1',
      shares: [],
      updated_at: null,
    });
    expect(await read(body.task.id, ada)).toEqual(body.task);
  });

  it('201: with the records that it is about, for those who see one of them', async () => {
    const hidden = await givenContact(grace, { name: 'Secret', visibility: 'private' });
    const thread = await givenThread(workspace, { users: [grace, linus], subject: 'Ferry' });
    const task = await made({ contact_ids: [hidden.id, hidden.id], thread_id: thread.id }, grace);
    const names = ['Ferry', 'Secret'];
    expect(task.visibility).toBe('linked');
    expect(task.refs).toEqual([
      { type: 'thread', id: thread.id, label: names[0] },
      { type: 'contact', id: hidden.id, label: names[1] },
    ]);
    const seen = await read(task.id, linus);
    expect([seen.thread_id, seen.contact_ids, seen.refs.map(({ label }) => label)]).toEqual([
      thread.id,
      [],
      ['Ferry', null],
    ]);
    expect(await codeOf(ada.reader.retrieveTask({ params: { id: task.id } }))).toBe('404 record_not_found');
    const about = (await linus.reader.retrieveThread({ params: { id: thread.id } })).body.thread.tasks;
    expect(about).toEqual([seen]);
    const { tasks } = (await grace.reader.retrieveContact({ params: { id: hidden.id } })).body.contact;
    expect(tasks).toEqual([task]);
  });

  it('tells an assignee, who sees a private task and not what it is about', async () => {
    const contact = await givenContact(ada, { visibility: 'private' });
    const draft = { name: 'Yours', assigned_user_id: linus.user.id, contact_ids: [contact.id] };
    const task = await made(draft);
    expect((await storedNotifications(workspace, linus.user.id)).at(-1)).toMatchObject({
      event: 'task_assigned',
      payload: { id: task.id, record_type: 'task', name: 'Yours' },
      prompting_user_id: ada.user.id,
    });
    const before = (await storedNotifications(workspace, ada.user.id)).length;
    await made({ assigned_user_id: ada.user.id });
    expect((await storedNotifications(workspace, ada.user.id)).length).toBe(before);
    const seen = await read(task.id, linus);
    expect([seen.contact_ids, seen.refs]).toEqual([[], [{ type: 'contact', id: contact.id, label: null }]]);
    expect(await codeOf(linus.reader.retrieveContact({ params: { id: contact.id } }))).toBe(
      '404 record_not_found',
    );
  });

  it('reads the shortcuts and days of a snooze', async () => {
    workspace.setTime(new Date('2026-11-20T10:10:00Z'));
    const { time_zone } = ada.user;
    expect(time_zone).toBe('Europe/London');
    expect((await made({ due_at: 'tonight' })).due_at).toBe('2026-11-20T19:00:00.000Z');
    expect((await made({ due_at: '2026-07-01' })).due_at).toBe('2026-06-30T23:00:00.000Z');
    workspace.setTime(undefined);
  });

  it('409: an external id of a task that is hidden', async () => {
    const { status } = await create({ name: 'Mine', external_id: 'same' });
    expect(status).toBe(201);
    expect(await codeOf(create({ name: 'Other', external_id: 'same' }, linus))).toBe('409 external_id_taken');
    const id = await givenContact(ada, { external_id: 'same' });
    expect(id.external_id).toBe('same');
  });

  it('ten requests with one external id: one task', async () => {
    const draft = { name: 'Once', external_id: 'ten' };
    const all = await Promise.all(
      Array.from({ length: 10 }, () => create(draft).catch(({ status }) => ({ status }))),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const { count } = (await ada.reader.countTasks({ query: { external_id: 'ten' } })).body;
    expect(count.total).toBe(1);
  });

  it('404: an assignee or a record that does not exist, is hidden or of another account', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const thread = await givenThread(workspace, { users: [grace] });
    const foreign = await givenContact(workspace.hank, {});
    for (const about of [
      { contact_ids: [hidden.id] },
      { contact_ids: [foreign.id] },
      { contact_ids: [thread.id] },
      { thread_id: thread.id },
      { assigned_user_id: workspace.hank.user.id },
      { assigned_user_id: randomUUID() },
      ...['deal_id', 'space_id', 'milestone_id', 'calendar_event_id'].map((field) => ({
        [field]: randomUUID(),
      })),
      { organization_ids: [randomUUID()] },
    ])
      expect(await codeOf(create({ name: 'Call', ...about })), JSON.stringify(about)).toBe(
        '404 record_not_found',
      );
  });

  const many = Array.from({ length: 31 }, () => randomUUID());
  longIt.each<[object, Record<string, string>]>([
    [{ name: null }, { name: 'required' }],
    [{ name: '' }, { name: 'required' }],
    [{ name: 'a'.repeat(256) }, { name: 'too_long' }],
    [{ description: 'a'.repeat(20_001) }, { description: 'too_long' }],
    [{ due_at: 'someday' }, { due_at: 'invalid_format' }],
    [{ due_at: '' }, { due_at: 'required' }],
    [{ due_at: '2026-02-30' }, { due_at: 'invalid_format' }],
    [{ due_at: '0000-01-01T00:00:00Z' }, { due_at: 'invalid_format' }],
    [{ due_at: 7 }, { due_at: 'invalid' }],
    [{ all_day: 'yes' }, { all_day: 'invalid' }],
    [{ all_day: null }, { all_day: 'invalid' }],
    [{ priority: 'urgent' }, { priority: 'invalid' }],
    [{ visibility: 'public' }, { visibility: 'invalid' }],
    [{ contact_ids: null }, { contact_ids: 'invalid' }],
    [{ contact_ids: ['x'] }, { 'contact_ids.0': 'invalid_format' }],
    [{ contact_ids: many }, { contact_ids: 'too_long' }],
    [{ thread_id: 'x' }, { thread_id: 'invalid_format' }],
    [{ thread_id: [] }, { thread_id: 'invalid' }],
    [{ external_id: 'a'.repeat(256) }, { external_id: 'too_long' }],
  ])('400: %j', async (sent, problems) => {
    expect(await problemsOf(create({ name: 'Call', ...sent }))).toEqual(problems);
  });

  longIt('400: without a name, and no room for more than 30 links in all', async () => {
    expect(await problemsOf(create({}))).toEqual({ name: 'required' });
    const contact_ids: string[] = [];
    for (let i = 0; i < 30; i++) contact_ids.push((await givenContact(ada)).id);
    const thread = await givenThread(workspace, { users: [ada] });
    expect((await made({ contact_ids })).contact_ids).toEqual(contact_ids);
    expect(await problemsOf(create({ name: 'x', contact_ids, thread_id: thread.id }))).toEqual({
      contact_ids: 'too_long',
    });
  });
});
