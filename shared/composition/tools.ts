import { contactTools } from '#shared/domain/assistant/answering/tools/contact-tools.ts';
import type { KnowsRecordTools } from '#shared/domain/assistant/answering/tools/record-tools.ts';
import { threadTools } from '#shared/domain/assistant/answering/tools/thread-tools.ts';

/** What the assistant can do with records, in the order in which it is told of it. */
export const tools: KnowsRecordTools = { record_tools: { threads: threadTools, contacts: contactTools } };
