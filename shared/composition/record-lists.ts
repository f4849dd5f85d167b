import { eventIndex } from '#shared/domain/calendar/calendar-events/lists.ts';
import {
  type AllLists,
  keeperOf,
  type RecordIndexes,
} from '#shared/domain/collaboration/record-lists/keeper.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { spaceIndex } from '#shared/domain/crm/spaces/lists.ts';
import { listAddresses } from '#shared/domain/mail/last-mail/raise.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { milestoneIndex } from '#shared/domain/work/milestones/lists.ts';
import { taskIndex } from '#shared/domain/work/tasks/lists.ts';
import { linkable } from './visibility.ts';

/** The lists of each family of records. */
const recordIndexes: RecordIndexes = {
  // A line for each family.
  calendar_events: eventIndex,
  contacts: contactIndex,
  deals: dealIndex,
  files: fileIndex(linkable),
  milestones: milestoneIndex,
  organizations: organizationIndex,
  spaces: spaceIndex,
  tasks: taskIndex(linkable),
};

/** All lists that follow records. */
export const listsOfRecords: AllLists = { indexes: recordIndexes, listAddresses };

/** For operations on records that have lists. */
export const recordLists: KeepsLists = { lists: { 'index-records': keeperOf(listsOfRecords) } };
