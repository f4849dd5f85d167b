import { dealOf, givenDeal } from './deals.ts';
import { givenOrganization, readOrganization } from './organizations.ts';
import { firstPipelineOf } from './pipelines.ts';
import { givenContact, readContact } from './proposals.ts';
import type { TestUser } from './workspace.ts';

/** Records of each family that proposals create and change. */

export const givenTask = async (user: TestUser, fields: object = {}) =>
  (await user.api.createTask({ body: { task: { name: 'Call', ...fields } } })).body.task;

export const readTask = async (user: TestUser, id: string) =>
  (await user.reader.retrieveTask({ params: { id } })).body.task;

type Read = (user: TestUser, id: string) => Promise<Record<string, unknown>>;

/** What creates a record, by its action type: the parameters, and how what they create is read. */
export const creations: Record<string, { params: { name: string } & Record<string, unknown>; read: Read }> = {
  'contact.create': { params: { name: 'Priya', headline: 'Pilot' }, read: readContact },
  'organization.create': {
    params: { name: 'Northwind', industry: 'Shipping', employee_count: 12 },
    read: readOrganization,
  },
  'deal.create': { params: { name: 'Ferries', amount: 12.5, currency: 'EUR' }, read: dealOf },
  'task.create': {
    params: { name: 'Call Northwind', due_at: '2027-03-01T09:00:00.000Z', priority: 'high' },
    read: readTask,
  },
};

interface Change {
  given(user: TestUser): Promise<{ id: string }>;
  /** Besides `record_id`. */
  params(user: TestUser): Promise<object>;
  read: Read;
  /** What the change makes of the record. */
  made: object;
}

const lastStage = async (user: TestUser) => (await firstPipelineOf(user)).stages.at(-1)?.id as string;

/** What changes a record, by its action type. */
export const changes: Record<string, Change> = {
  'contact.update': {
    given: (user) => givenContact(user, { headline: 'Clerk' }),
    params: async () => ({ headline: 'Analyst' }),
    read: readContact,
    made: { headline: 'Analyst' },
  },
  'employment.create': {
    given: (user) => givenContact(user, { employments: [{ title: 'Clerk' }] }),
    params: async (user) => ({ title: 'Captain', organization: { id: (await givenOrganization(user)).id } }),
    read: readContact,
    made: { employments: [{ title: 'Clerk' }, { title: 'Captain', current: true }] },
  },
  'organization.update': {
    given: (user) => givenOrganization(user, { industry: 'Fishing' }),
    params: async () => ({ industry: 'Shipping', links: [{ url: 'https://northwind.example/' }] }),
    read: readOrganization,
    made: { industry: 'Shipping', links: [{ url: 'https://northwind.example/' }] },
  },
  'deal.update': {
    given: (user) => givenDeal(user, { amount: 10, currency: 'EUR' }),
    params: async () => ({ amount: 20, probability: 5, custom_fields: { size: 'L' } }),
    read: dealOf,
    made: { amount: 20, probability: 5, custom_fields: { size: 'L' } },
  },
  'deal.move': {
    given: (user) => givenDeal(user),
    params: async (user) => ({ stage_id: await lastStage(user), lost_reason: 'Too slow' }),
    read: dealOf,
    made: { status: 'lost', lost_reason: 'Too slow' },
  },
  'task.update': {
    given: (user) => givenTask(user, { description: '<p>Soon</p>' }),
    params: async () => ({ due_at: '2027-03-01', all_day: true, description: null, reminders: [10, 60] }),
    read: readTask,
    made: { all_day: true, description: null, reminders: [10, 60] },
  },
  'task.complete': {
    given: (user) => givenTask(user),
    params: async () => ({}),
    read: readTask,
    made: { status: 'completed' },
  },
};
