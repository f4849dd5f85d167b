import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_TRIES } from '#shared/domain/assistant/answering/turn.ts';
import { deliverQuestion, openQuestions } from '../support/assistant.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../support/events.ts';
import { failCall } from '../support/faults.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { accept } from '../support/proposals.ts';
import { readTask } from '../support/proposed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Agent `auto_meeting`: what came of a meeting, by its transcript. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let calendar: { calendar_id: string; mailbox_id: string };
let asked: Workspace['ctx']['config']['assistant'];
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
  ({ ada, grace } = workspace);
  calendar = await givenCalendar(workspace, ada);
  await shareMailbox(ada, calendar.mailbox_id, grace);
  asked = { ...workspace.ctx.config.assistant, questions_per_minute: 1_000 };
});
afterAll(() => workspace.stop());
beforeEach(async () => {
  workspace.ctx.config.assistant = { ...asked };
  await configure({ enabled: true, mode: 'suggest' });
  await inCalendar(true);
});
afterEach(async () => {
  workspace.setTime(undefined);
  expect(await openQuestions(workspace)).toEqual([]);
});

const configure = (agent_configuration: object) =>
  ada.api.updateAgentConfiguration({
    params: { agent_slug: 'auto_meeting' },
    body: { agent_configuration },
  });
const inCalendar = (auto_meeting_enabled: boolean) =>
  ada.api.updateCalendar({
    params: { id: calendar.calendar_id },
    body: { calendar: { auto_meeting_enabled } },
  });
const event = (fields: object = {}) => givenEvent(ada, calendar.calendar_id, fields);

const SAID = [
  ['Ada Byron', 'Shall we begin with the timetable?'],
  ['Grace Hopper', 'I will send the printed labels to the harbour office on Friday.'],
  ['Ada Byron', 'The ferry leaves at nine.'],
];
const transcript = (said = SAID) => ({
  language: 'en',
  segments: said.map(([speaker, text = ''], i) => ({
    ...{ speaker, text, started_ms: i * 1_000, ended_ms: i * 1_000 + 900 },
  })),
});
const store = (id: string, said?: string[][]) =>
  ada.api.createTranscript({
    params: { calendar_event_id: id },
    body: { transcript: transcript(said) } as never,
  });
const deliver = async () => {
  const jobs = await openQuestions(workspace);
  return deliverQuestion(...jobs.map(({ id }) => id));
};
const briefOf = async (id: string, user = ada) =>
  (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event.brief;
const proposalsOf = async (id: string, user = ada) => {
  const query = { agent_slug: 'auto_meeting', status: 'all', per_page: 100 } as const;
  const { records } = (await user.reader.listProposals({ query })).body.collection;
  return records.filter(({ source }) => source?.id === id);
};

describe('auto_meeting', () => {
  longIt(
    'writes what came of the meeting, for all who see it, and proposes tasks to who stored it',
    async () => {
      const { id } = await event();
      await store(id);
      expect((await briefOf(id, grace))?.status).toBe('pending');
      expect(await deliver()).toBe(0);
      const brief = await briefOf(id, grace);
      expect(brief).toMatchObject({ status: 'complete', text: expect.stringContaining('2 people spoke') });
      const [proposal, ...others] = await proposalsOf(id);
      expect(others).toEqual([]);
      expect(proposal).toMatchObject({
        status: 'pending',
        action_type: 'task.create',
        user_id: ada.user.id,
        rationale: expect.stringContaining('Grace Hopper'),
        source: { type: 'calendar_event', id },
      });
      expect(brief?.blocks.at(-1)).toMatchObject({ type: 'proposal', proposal_id: proposal?.id });
      expect(await proposalsOf(id, grace)).toEqual([]);
      const applied = await accept(ada, proposal?.id as string);
      const task = await readTask(ada, applied.applied_record_id as string);
      expect(task).toMatchObject({
        name: expect.stringContaining('printed labels'),
        calendar_event_id: id,
        proposal_id: proposal?.id,
      });
    },
  );

  it('proposes tasks in mode auto_apply too', async () => {
    await configure({ mode: 'auto_apply' });
    const { id } = await event();
    await store(id);
    await deliver();
    expect(await proposalsOf(id)).toMatchObject([{ status: 'pending', actions: ['accept', 'reject'] }]);
  });

  it.each([
    ['the calendar has it off', () => inCalendar(false)],
    ['the agent is off', () => configure({ enabled: false })],
    [
      'the deployment has no assistant',
      async () => {
        workspace.ctx.config.assistant.provider = 'none';
      },
    ],
  ])('does nothing when %s', async (_, off) => {
    await off();
    const { id } = await event();
    await store(id);
    expect(await openQuestions(workspace)).toEqual([]);
    expect(await briefOf(id)).toBeNull();
  });

  longIt(
    'drops what it found for a transcript that was replaced, and withdraws its earlier proposals',
    async () => {
      const { id } = await event();
      await store(id);
      await deliver();
      await store(id, [['Ada Byron', 'I will paint the saucer green on Monday.']]);
      await store(id, [['Ada Byron', 'I will paint the saucer blue on Monday.']]);
      expect(await openQuestions(workspace)).toHaveLength(2);
      await deliver();
      const all = await proposalsOf(id);
      expect(all.map(({ status }) => status).sort()).toEqual(['pending', 'rejected']);
      const open = all.find(({ status }) => status === 'pending');
      expect(JSON.stringify(open?.display)).toContain('blue');
      expect(JSON.stringify(await briefOf(id))).not.toContain('green');
    },
  );

  it('fails with a reason when the transcript was deleted meanwhile', async () => {
    const { id } = await event();
    await store(id);
    await ada.api.deleteTranscript({ params: { calendar_event_id: id } });
    await deliver();
    expect(await briefOf(id)).toMatchObject({ status: 'failed', text: expect.any(String) });
  });

  it('ends with a deleted event', async () => {
    const { id } = await event();
    await store(id);
    await ada.api.deleteCalendarEvent({ params: { id } });
    await deliver();
    expect(await proposalsOf(id)).toEqual([]);
  });

  it('of a private event is for its owner alone', async () => {
    const { id } = await event({ private: true });
    await store(id);
    await deliver();
    expect((await briefOf(id))?.status).toBe('complete');
    expect(await briefOf(id, grace)).toBeNull();
  });

  longIt.each(['before', 'after'] as const)('proposes once, whichever call fails %s', async (when) => {
    for (let call = 1, reached = true; reached; call += STRIDE) {
      const { id } = await event();
      await store(id);
      const jobs = (await openQuestions(workspace)).map((job) => job.id);
      const fault = failCall(workspace.table, call, when);
      await deliverQuestion(...jobs);
      fault.remove();
      reached = fault.hit;
      workspace.setTime(new Date(Date.now() + 3_600_000));
      await deliver();
      workspace.setTime(undefined);
      expect((await briefOf(id))?.status).toBe('complete');
      expect(await proposalsOf(id)).toHaveLength(1);
    }
  });
});

describe('auto_meeting with a language model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
    workspace.ctx.config.assistant = { ...server.config('openai'), questions_per_minute: 1_000 };
  });
  afterEach(() => server.stop());

  const NOTES =
    'They agreed on the labels.\ntask: Send the labels | Grace Hopper | 2027-03-05\n- **Task:** Paint';

  it('reads text, tasks, days and colleagues from its answer', async () => {
    server.script.push({ text: NOTES.replace('Grace Hopper', grace.user.name) });
    const { id } = await event();
    await store(id);
    expect(await deliver()).toBe(0);
    expect((await briefOf(id))?.text).toBe('They agreed on the labels.');
    const tasks = (await proposalsOf(id)).map(({ params }) => params);
    expect(tasks).toContainEqual(
      expect.objectContaining({ name: 'Send the labels', assigned_user_id: grace.user.id }),
    );
    expect(tasks).toContainEqual(
      expect.objectContaining({ name: 'Paint', assigned_user_id: ada.user.id, calendar_event_id: id }),
    );
  });

  it('notes the meeting, whatever the model says of its tasks', async () => {
    const tasks = [
      'No such day | | 2027-02-30',
      `${'x'.repeat(199)}🦕`,
      `Long | ${'who '.repeat(1_000)}`,
      'Too late | | 9999-12-31',
      'Bell\u0007 and\u0000 more',
    ];
    server.script.push({ text: ['Agreed.', ...tasks.map((task) => `task: ${task}`)].join('\n') });
    const { id } = await event();
    await store(id);
    expect(await deliver()).toBe(0);
    expect(await briefOf(id)).toMatchObject({ status: 'complete', text: 'Agreed.' });
    const proposed = (await proposalsOf(id)).map(({ params }) => params);
    expect(proposed).toHaveLength(5);
    expect(proposed.find(({ name }) => name === 'No such day')?.due_at).toBeNull();
  });

  longIt('notes a meeting of eight hours part by part', async () => {
    const hours = Array.from({ length: 4_800 }, (_, i) => ['Ada Byron', `${i} ${'word '.repeat(15)}`]);
    server.script.push(...Array.from({ length: 12 }, (_, i) => ({ text: `Part ${i}.` })));
    const { id } = await event();
    await store(id, hours);
    await deliver();
    const sizes = server.requests.map((request) => JSON.stringify(request).length);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(sizes.length).toBeGreaterThan(5);
    expect(await briefOf(id)).toMatchObject({ status: 'complete', text: expect.stringMatching(/^Part \d/) });
  });

  it('failed with the reason, when it never gives an answer', async () => {
    const { id } = await event();
    await store(id);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      server.script.push({ text: '' });
      await deliver();
    }
    expect(await briefOf(id)).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('could be read'),
    });
  });
});
