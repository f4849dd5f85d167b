import { offersOfThreads } from '#shared/domain/assistant/agents/dependent.ts';
import { proposalsOfRecords } from '#shared/domain/assistant/proposals/dependent.ts';
import {
  occurrencesOfEndedSeries,
  occurrencesOfSeries,
  transcriptsOfEvents,
} from '#shared/domain/calendar/calendar-events/dependent.ts';
import { activityOfRecords } from '#shared/domain/collaboration/activity/activity.ts';
import { commentsOfRecords } from '#shared/domain/collaboration/comments/dependent.ts';
import { historyOfRecords } from '#shared/domain/collaboration/history/entry.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { placesOfRecords } from '#shared/domain/collaboration/record-lists/dependent.ts';
import { formerLinksOfRecords } from '#shared/domain/collaboration/record-lists/former.ts';
import { linksOfRecords } from '#shared/domain/collaboration/record-lists/relink.ts';
import { sharesOfRecords } from '#shared/domain/collaboration/shares/dependent.ts';
import { taggingsOfRecords } from '#shared/domain/collaboration/tags/dependent.ts';
import { employmentsAtOrganizations } from '#shared/domain/crm/contacts/dependent.ts';
import { enrichmentsOfContacts } from '#shared/domain/crm/contacts/enrichment.ts';
import { openingOfSurvivors } from '#shared/domain/crm/contacts/merging/opening.ts';
import { linksOfDeals } from '#shared/domain/crm/deals/dependent.ts';
import { stageHistoryOfDeals } from '#shared/domain/crm/deals/stage-history.ts';
import { distinctContacts } from '#shared/domain/crm/duplicates/dependent.ts';
import { membersOfSpaces } from '#shared/domain/crm/spaces/dependent.ts';
import { bytesOfFiles, linksOfFiles } from '#shared/domain/work/files/dependent.ts';
import { linksOfMilestones } from '#shared/domain/work/milestones/dependent.ts';
import { linksOfTasks } from '#shared/domain/work/tasks/dependent.ts';
import { linkable } from './visibility.ts';

/** The families whose items move with a merged record and are removed with a deleted one, in this order. */
export const dependents: KnowsDependents = {
  dependents: [
    proposalsOfRecords,
    commentsOfRecords,
    linksOfRecords([
      // A line for each family.
      occurrencesOfSeries,
      linksOfDeals,
      linksOfFiles(linkable),
      linksOfMilestones,
      linksOfTasks(linkable),
    ]),
    taggingsOfRecords,
    sharesOfRecords,
    historyOfRecords,
    activityOfRecords,
    employmentsAtOrganizations,
    membersOfSpaces,
    distinctContacts,
    enrichmentsOfContacts,
    transcriptsOfEvents,
    // Before the links that it lost.
    occurrencesOfEndedSeries,
    stageHistoryOfDeals,
    placesOfRecords,
    offersOfThreads,
    formerLinksOfRecords,
    bytesOfFiles,
    // After all others.
    openingOfSurvivors,
  ],
};
