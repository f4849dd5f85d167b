import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import type { deletableTypes, RestorableType } from '#shared/domain/collaboration/records/types.ts';
import { givenDeal } from './deals.ts';
import { givenEvent } from './events.ts';
import { uploadFile } from './files.ts';
import { givenMailbox } from './mail.ts';
import { givenMilestone } from './milestones.ts';
import { givenOrganization } from './organizations.ts';
import { givenContact } from './proposals.ts';
import { givenTask } from './proposed-records.ts';
import { givenSpace } from './spaces.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Records of all types that are deleted, listed and restored. */

export type Deletable = (typeof deletableTypes)[number];

type Make = (workspace: Workspace, user: TestUser, draft?: object) => Promise<{ id: string }>;

/** A new record that everybody sees, or as the draft says. */
export const makers: Record<Deletable, Make> = {
  contacts: (_, user, draft) => givenContact(user, draft),
  organizations: (_, user, draft) => givenOrganization(user, { name: 'Acme', ...draft }),
  deals: (_, user, draft) => givenDeal(user, { name: 'Fleet renewal', ...draft }),
  files: (_, user, draft) => uploadFile(user, { visibility: 'account', ...draft }),
  // Its mailbox says who sees it.
  calendar_events: async (workspace, user, { visibility: _, ...draft }: { visibility?: string } = {}) =>
    givenEvent(user, calendarIdOf(await givenMailbox(workspace, user, user.user.account_id)), draft),
  spaces: (_, user, draft) => givenSpace(user, draft),
  tasks: (_, user, draft) => givenTask(user, { visibility: 'account', ...draft }),
  milestones: (_, user, draft) => givenMilestone(user, draft),
};

export const remove: Record<Deletable, (user: TestUser, id: string) => Promise<{ status: number }>> = {
  contacts: ({ api }, id) => api.deleteContact({ params: { id } }),
  organizations: ({ api }, id) => api.deleteOrganization({ params: { id } }),
  deals: ({ api }, id) => api.deleteDeal({ params: { id } }),
  files: ({ api }, id) => api.deleteFile({ params: { id } }),
  calendar_events: ({ api }, id) => api.deleteCalendarEvent({ params: { id } }),
  spaces: ({ api }, id) => api.deleteSpace({ params: { id } }),
  tasks: ({ api }, id) => api.deleteTask({ params: { id } }),
  milestones: ({ api }, id) => api.deleteMilestone({ params: { id } }),
};

export const deletionsOf = async (user: TestUser, record_type: Deletable, query: object = {}) =>
  (await user.reader.listDeletions({ params: { record_type }, query })).body.collection;

export const deletedIds = async (user: TestUser, record_type: Deletable, query: object = {}) =>
  (await deletionsOf(user, record_type, query)).records.map(({ id }) => id);

export const restore = (user: TestUser, record_type: RestorableType, record_id: string) =>
  user.api.restoreRecord({ params: { record_type, record_id } });

/** The record as it is retrieved. */
export const retrieve: Record<RestorableType, (user: TestUser, id: string) => Promise<object>> = {
  contacts: async ({ reader }, id) => (await reader.retrieveContact({ params: { id } })).body,
  organizations: async ({ reader }, id) => (await reader.retrieveOrganization({ params: { id } })).body,
  deals: async ({ reader }, id) => (await reader.retrieveDeal({ params: { id } })).body,
  files: async ({ reader }, id) => (await reader.retrieveFile({ params: { id } })).body,
  calendar_events: async ({ reader }, id) => (await reader.retrieveCalendarEvent({ params: { id } })).body,
  spaces: async ({ reader }, id) => (await reader.retrieveSpace({ params: { id } })).body,
  tasks: async ({ reader }, id) => (await reader.retrieveTask({ params: { id } })).body,
  milestones: async ({ reader }, id) => (await reader.retrieveMilestone({ params: { id } })).body,
};
