import { describe, expect, it } from 'vitest';
import { ask, world } from '../../support/assistant-world.ts';

/** Tasks, organizations, deals and jobs that the built-in assistant proposes. It is Friday 13 November 2026, 13:00. */

async function proposed(text: string, on?: string) {
  const { shown, text: said } = await ask(text, on ? { on } : {});
  expect(said).toContain('Nothing changes before you accept it.');
  return shown.proposals.map(({ action_type, params }) => [action_type, params])[0];
}

const friday = { due_at: '2026-11-20', all_day: true };

describe('tasks', () => {
  it.each([
    [
      'Remind Grace to call Northwind on Friday',
      {
        name: 'Call Northwind',
        ...friday,
        assigned_user_id: 'u-grace',
        organization_ids: ['o-northwind'],
      },
    ],
    [
      'Please remind me to call Mary Somerville tomorrow at 10:00',
      {
        name: 'Call Mary Somerville',
        due_at: '2026-11-14T09:00:00.000Z',
        all_day: false,
        contact_ids: ['c-mary'],
      },
    ],
    ['remind me about the invoice next week', { name: 'The invoice', due_at: '2026-11-16', all_day: true }],
    ['Add a task: order chairs', { name: 'Order chairs' }],
    [
      'create a new to-do to order chairs by 3 December',
      {
        name: 'Order chairs',
        due_at: '2026-12-03',
        all_day: true,
      },
    ],
    ['Create a task for Grace Hopper to order chairs', { name: 'Order chairs', assigned_user_id: 'u-grace' }],
    ['assign Grace a task to order chairs', { name: 'Order chairs', assigned_user_id: 'u-grace' }],
    ['Remind us that we must call Nobody Special', { name: 'Call Nobody Special' }],
  ])('%s', async (text, params) => {
    expect(await proposed(text)).toEqual(['task.create', params]);
  });

  it.each([
    ['t-telescope', { thread_id: 't-telescope' }],
    ['c-mary', { contact_ids: ['c-mary'] }],
    ['o-orbit', { organization_ids: ['o-orbit'] }],
    ['d-ferries', { deal_id: 'd-ferries' }],
  ])('are about the record that it is asked on: %s', async (on, link) => {
    expect(await proposed('remind me to answer', on)).toEqual(['task.create', { name: 'Answer', ...link }]);
  });

  it.each([
    ['Remind Zoe to call', '“Zoe” is none of your colleagues.'],
    ['Remind Linus to call', '“Linus” fits several colleagues: Linus Pauling and Linus Ohm.'],
  ])('%s', async (text, answer) => {
    const { text: said, shown } = await ask(text);
    expect(said).toContain(answer);
    expect(shown.proposals).toEqual([]);
  });

  const task = (id: string, name: string, more: object = {}) => ({
    ...{ id, name, status: 'open' as const, due_at: null, priority: null, assignee: null, about: [] },
    ...more,
  });
  const tasks = [
    task('k-1', 'Call Northwind', { due_at: '2026-11-14', assignee: 'Grace Hopper' }),
    task('k-2', 'Call Orbit', { due_at: '2026-11-20T09:00:00.000Z' }),
    task('k-3', 'Order chairs'),
  ];
  const busy = { ...world, tasks };

  it('are completed by their names', async () => {
    const { shown } = await ask('Mark the task call northwind as done', { world: busy });
    expect(shown.proposals).toMatchObject([{ action_type: 'task.complete', params: { record_id: 'k-1' } }]);
    expect((await ask('complete the task Order', { world: busy })).shown.proposals).toHaveLength(1);
    const { text } = await ask('Complete the task Call', { world: busy });
    expect(text).toContain('“Call” fits several open tasks: [Call Northwind](task:k-1) and [Call Orbit]');
    expect((await ask('Complete the task X', { world: busy })).text).toBe('I found no open task for “X”.');
  });

  it('are listed with their days and assignees, and shown as cards', async () => {
    const { text, shown } = await ask('Which tasks are open?', { world: busy });
    expect(text).toContain('3 tasks are open:');
    expect(text).toContain('- [Call Northwind](task:k-1), due Saturday 14 November 2026, Grace Hopper');
    expect(text).toContain('- [Call Orbit](task:k-2), due Friday 20 November 2026, 10:00\n');
    expect(shown.cards).toEqual([{ card_type: 'Task', ids: ['k-1', 'k-2', 'k-3'], title: 'Tasks' }]);
  });

  it('of this week are those that are due until Sunday', async () => {
    const { text } = await ask('Which tasks are due this week?', { world: busy });
    expect(text).toContain('1 task is open, due by the end of this week:');
  });

  it.each([
    ['What are my tasks?', undefined, { slice: 'open', mine: true }],
    ['Which tasks are overdue?', undefined, { slice: 'overdue' }],
    ['Which tasks are open?', 'c-mary', { slice: 'open', contact_id: 'c-mary' }],
    ['Which tasks are open?', 'd-ferries', { slice: 'open', deal_id: 'd-ferries' }],
  ])('%s searches them', async (text, on, input) => {
    const { shown } = await ask(text, on ? { on } : {});
    expect(shown.calls.find(({ name }) => name === 'search_tasks')?.input).toEqual(input);
  });
});

describe('organizations', () => {
  it.each([
    ['Add the organization Bellwether Ferries', { name: 'Bellwether Ferries' }],
    [
      'create a company called Bellwether (bellwether.example)',
      {
        name: 'Bellwether',
        domains: ['bellwether.example'],
      },
    ],
    [
      'add a new firm Bellwether with the domain Bellwether.Example',
      {
        name: 'Bellwether',
        domains: ['bellwether.example'],
      },
    ],
  ])('%s', async (text, params) => {
    expect(await proposed(text)).toEqual(['organization.create', params]);
  });

  it('that exist are not added again', async () => {
    const { text, shown } = await ask('Add the organization northwind');
    expect(text).toBe('[Northwind](organization:o-northwind) is an organization already.');
    expect(shown.proposals).toEqual([]);
  });
});

describe('deals', () => {
  it.each([
    ['Create a deal Fleet renewal', { name: 'Fleet renewal' }],
    [
      'create a deal called Fleet renewal for 12,500.50 EUR',
      {
        name: 'Fleet renewal',
        amount: 12_500.5,
        currency: 'EUR',
      },
    ],
    ['Add a deal: Fleet renewal worth €12k', { name: 'Fleet renewal', amount: 12_000, currency: 'EUR' }],
    ['Add a deal: Fleet renewal over 900 dollars', { name: 'Fleet renewal', amount: 900, currency: 'USD' }],
  ])('%s', async (text, params) => {
    expect(await proposed(text)).toEqual(['deal.create', params]);
  });

  it('are with the person or for the organization that it is asked on', async () => {
    expect(await proposed('Add a deal: Hull', 'o-orbit')).toEqual([
      'deal.create',
      { name: 'Hull', organization_id: 'o-orbit' },
    ]);
    expect(await proposed('Add a deal: Hull', 'c-mary')).toEqual([
      'deal.create',
      { name: 'Hull', contact_ids: ['c-mary'] },
    ]);
  });

  it.each([
    ['Move the deal Ferries to Proposal', undefined, 's-proposal'],
    ['mark the deal Ferries as won', undefined, 's-won'],
    ['Move this to the stage Signed', 'd-ferries', 's-won'],
    ['mark this deal as won', 'd-ferries', 's-won'],
  ])('%s', async (text, on, stage_id) => {
    expect(await proposed(text, on)).toEqual(['deal.move', { record_id: 'd-ferries', stage_id }]);
  });

  it.each([
    ['Move the deal Ferries to Lost', 'has no stage “Lost”; there are “Lead”, “Proposal” and “Signed”.'],
    ['Move the deal Ferries to Lead', '[Ferries](deal:d-ferries) is in the stage “Lead” already.'],
    ['Move the deal Hull to Lead', '“Hull” fits several deals: [Hull one](deal:d-hull) and [Hull two]'],
    ['Move the deal Ships to Lead', 'I found no deal for “Ships”.'],
    ['Move this to the archive', 'I cannot change a thread’s state'],
  ])('%s', async (text, answer) => {
    const { text: said, shown } = await ask(text);
    expect(said).toContain(answer);
    expect(shown.proposals).toEqual([]);
  });
});

describe('jobs', () => {
  it.each([
    [
      'Mary works at Orbit Instruments as an astronomer',
      undefined,
      {
        organization: { id: 'o-orbit' },
        title: 'astronomer',
      },
    ],
    ['She now works for Small Stars', 'c-mary', { organization: { name: 'Small Stars' } }],
    ['Add a job at Small Stars to Mary', undefined, { organization: { name: 'Small Stars' } }],
  ])('%s', async (text, on, params) => {
    expect(await proposed(text, on)).toEqual(['employment.create', { record_id: 'c-mary', ...params }]);
  });

  it.each(['Who works at Northwind?', 'Where does Mary work?', 'When is the roof done?'])(
    '%s is a question',
    async (text) => {
      expect((await ask(text)).shown.proposals).toEqual([]);
    },
  );
});

it('nothing is proposed without the tool', async () => {
  const { text } = await ask('Remind me to call', { absent: ['propose_change'] });
  expect(text).toBe('I cannot propose changes here; I only read.');
});
