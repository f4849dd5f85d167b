import { contactTools } from '#shared/domain/assistant/answering/tools/contact-tools.ts';
import { dealTools } from '#shared/domain/assistant/answering/tools/deal-tools.ts';
import { eventTools } from '#shared/domain/assistant/answering/tools/event-tools.ts';
import { fileTools } from '#shared/domain/assistant/answering/tools/file-tools.ts';
import { milestoneTools } from '#shared/domain/assistant/answering/tools/milestone-tools.ts';
import { organizationTools } from '#shared/domain/assistant/answering/tools/organization-tools.ts';
import type { KnowsRecordTools } from '#shared/domain/assistant/answering/tools/record-tools.ts';
import { spaceTools } from '#shared/domain/assistant/answering/tools/space-tools.ts';
import { taskTools } from '#shared/domain/assistant/answering/tools/task-tools.ts';
import { threadTools } from '#shared/domain/assistant/answering/tools/thread-tools.ts';

/** The assistant's tools for records, in the order in which it lists them. */
export const tools: KnowsRecordTools = {
  record_tools: {
    threads: threadTools,
    contacts: contactTools,
    organizations: organizationTools,
    deals: dealTools,
    tasks: taskTools,
    calendar_events: eventTools,
    files: fileTools,
    spaces: spaceTools,
    milestones: milestoneTools,
  },
};
