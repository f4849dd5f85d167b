import { passRecords } from '#shared/domain/collaboration/hand-over/records.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { passShareRequests } from '#shared/domain/collaboration/share-requests/hand-over.ts';
import { accessWrites as ofContacts } from '#shared/domain/crm/contacts/access.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { dealIndex, dealLists } from '#shared/domain/crm/deals/lists.ts';
import { accessWrites as ofOrganizations } from '#shared/domain/crm/organizations/access.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { spaceIndex } from '#shared/domain/crm/spaces/lists.ts';
import { deleteKeysOfUser } from '#shared/domain/identity/credentials/leave.ts';
import { endSessionsOfUser } from '#shared/domain/identity/sessions/leave.ts';
import type { Ends, Passes } from '#shared/domain/identity/users/leaving.ts';
import { passMailboxes } from '#shared/domain/mail/mailboxes/hand-over.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { milestoneIndex } from '#shared/domain/work/milestones/lists.ts';
import { taskIndex, taskLists } from '#shared/domain/work/tasks/lists.ts';
import { linkable } from './visibility.ts';

const owned = (user_id: string) => [ownerList(user_id)];

const ends: readonly Ends[] = [deleteKeysOfUser, endSessionsOfUser];

const passes: readonly Passes<KeepsLists>[] = [
  passMailboxes,
  // After the mailboxes, whose mail it is about.
  passShareRequests,
  // A line for each family.
  passRecords({ index: contactIndex, order: 'created_at', lists: owned, besides: ofContacts }),
  passRecords({ index: dealIndex, order: 'created_at', lists: (id) => [dealLists.mine(id)] }),
  passRecords({ index: fileIndex(linkable), order: 'created_at', lists: owned }),
  passRecords({ index: milestoneIndex, order: 'due' }),
  passRecords({ index: organizationIndex, order: 'created_at', lists: owned, besides: ofOrganizations }),
  passRecords({ index: spaceIndex, order: 'name' }),
  passRecords({
    index: taskIndex(linkable),
    order: 'due',
    lists: (id) => [ownerList(id), taskLists.assigned(id)],
  }),
];

/** What is done with what a user had who left the account. */
export const leaving = { ends, passes };
