import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { requireEvent } from '#shared/domain/calendar/calendar-events/policy.ts';
import { presentRetrieved } from '#shared/domain/calendar/calendar-events/present-retrieved.ts';
import { restorableEvents } from '#shared/domain/calendar/calendar-events/restore.ts';
import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { restoreRecord } from '#shared/domain/collaboration/deletions/restore.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import {
  type RestorableType,
  registered,
  restorableTypes,
} from '#shared/domain/collaboration/records/types.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { restorableContacts } from '#shared/domain/crm/contacts/restore.ts';
import { retrieveContact } from '#shared/domain/crm/contacts/retrieve.ts';
import { dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { restorableDeals } from '#shared/domain/crm/deals/restore.ts';
import { retrieveDeal } from '#shared/domain/crm/deals/retrieve.ts';
import { organizationSchema } from '#shared/domain/crm/organizations/organization.ts';
import { restorableOrganizations } from '#shared/domain/crm/organizations/restore.ts';
import { retrieveOrganization } from '#shared/domain/crm/organizations/retrieve.ts';
import { restorableSpaces } from '#shared/domain/crm/spaces/restore.ts';
import { retrieveSpace } from '#shared/domain/crm/spaces/retrieve.ts';
import { spaceSchema } from '#shared/domain/crm/spaces/space.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { fileSchema } from '#shared/domain/work/files/file.ts';
import { restorableFiles } from '#shared/domain/work/files/restore.ts';
import { retrieveWholeFile } from '#shared/domain/work/files/store.ts';
import { milestoneSchema } from '#shared/domain/work/milestones/milestone.ts';
import { requireMilestone } from '#shared/domain/work/milestones/policy.ts';
import { restorableMilestones } from '#shared/domain/work/milestones/restore.ts';
import { showMilestone } from '#shared/domain/work/milestones/store.ts';
import { requireTask } from '#shared/domain/work/tasks/policy.ts';
import { restorableTasks } from '#shared/domain/work/tasks/restore.ts';
import { presentTask, taskSchema } from '#shared/domain/work/tasks/task.ts';
import { dependents } from './dependents.ts';
import { interactions } from './interactions.ts';
import { recordLists } from './record-lists.ts';
import { replies } from './replies.ts';
import { linkable, visibility } from './visibility.ts';

/** What restoring a record needs to know of all families. */
export const restoring = { ...visibility, ...replies, ...interactions, ...recordLists, ...dependents };

type Ctx = CallerContext<typeof restoring>;

/** Brings a record back. */
type Restore = (ctx: Ctx, id: string) => Promise<void>;

const restores =
  <R extends ListedItem>(family: Restorable<R, typeof restoring>): Restore =>
  (ctx, id) =>
    restoreRecord<R, typeof restoring>(ctx, family, id);

/** How each type comes back, and is shown as when it is retrieved. */
const families = {
  // A line for each family.
  calendar_events: {
    restore: restores(restorableEvents),
    show: async (ctx: Ctx, id: string) => {
      const { event } = await requireEvent(ctx, id);
      return { calendar_event: await presentRetrieved(ctx, event) };
    },
  },
  contacts: {
    restore: restores(restorableContacts),
    show: async (ctx: Ctx, id: string) => ({ contact: await retrieveContact(ctx, id) }),
  },
  deals: {
    restore: restores(restorableDeals),
    show: async (ctx: Ctx, id: string) => ({ deal: await retrieveDeal(ctx, id) }),
  },
  files: {
    restore: restores(restorableFiles(linkable)),
    show: async (ctx: Ctx, id: string) => ({ file: await retrieveWholeFile(ctx, id) }),
  },
  milestones: {
    restore: restores(restorableMilestones),
    show: async (ctx: Ctx, id: string) => ({
      milestone: await showMilestone(ctx, await requireMilestone(ctx, id)),
    }),
  },
  organizations: {
    restore: restores(restorableOrganizations),
    show: async (ctx: Ctx, id: string) => ({ organization: await retrieveOrganization(ctx, id) }),
  },
  spaces: {
    restore: restores(restorableSpaces),
    show: async (ctx: Ctx, id: string) => ({ space: await retrieveSpace(ctx, id) }),
  },
  tasks: {
    restore: restores(restorableTasks(linkable)),
    show: async (ctx: Ctx, id: string) => {
      const linked = new LinkedRecords(ctx);
      return { task: await presentTask(await requireTask(ctx, id, linked), linked) };
    },
  },
} satisfies Record<RestorableType, { restore: Restore; show: (ctx: Ctx, id: string) => Promise<object> }>;

/** One of these is in a response: the restored record. */
export const restoredSchemas = {
  calendar_event: eventSchema.optional(),
  contact: contactSchema.optional(),
  deal: dealSchema.optional(),
  file: fileSchema.optional(),
  milestone: milestoneSchema.optional(),
  organization: organizationSchema.optional(),
  space: spaceSchema.optional(),
  task: taskSchema.optional(),
};

export const restorable = registered(restorableTypes, families);

/** Brings a record back, and shows it. */
export async function restoreAndShow(ctx: Ctx, type: RestorableType, id: string) {
  await families[type].restore(ctx, id);
  return families[type].show(ctx, id);
}
