import type { SearchesRecords } from '#shared/domain/insight/search/kind.ts';
import { searchableEvents } from '#shared/domain/insight/search/kinds/calendar-events.ts';
import { searchableContacts } from '#shared/domain/insight/search/kinds/contacts.ts';
import { searchableDeals } from '#shared/domain/insight/search/kinds/deals.ts';
import { searchableFiles } from '#shared/domain/insight/search/kinds/files.ts';
import { searchableOrganizations } from '#shared/domain/insight/search/kinds/organizations.ts';
import { searchableSpaces } from '#shared/domain/insight/search/kinds/spaces.ts';
import { searchableTags } from '#shared/domain/insight/search/kinds/tags.ts';
import { searchableTasks } from '#shared/domain/insight/search/kinds/tasks.ts';
import { searchableThreads } from '#shared/domain/insight/search/kinds/threads.ts';

/** How the search over all records finds each type. */
export const searching = {
  searchables: {
    // A line for each family.
    contact: searchableContacts,
    organization: searchableOrganizations,
    deal: searchableDeals,
    thread: searchableThreads,
    task: searchableTasks,
    file: searchableFiles,
    calendar_event: searchableEvents,
    space: searchableSpaces,
    tag: searchableTags,
  },
} satisfies SearchesRecords;
