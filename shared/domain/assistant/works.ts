import { enrichContact } from './agents/enrichment/enrich-contact.ts';
import { noteMeeting } from './agents/meetings/note-meeting.ts';
import { answerInWords } from './answering/answer.ts';
import type { Works } from './answering/work.ts';
import { writeBriefing } from './daily-briefings/write-briefing.ts';

/** What is done for a question, by the place of its reply. */
export const works: Works = {
  comment: answerInWords,
  message: answerInWords,
  brief: answerInWords,
  meeting: noteMeeting,
  enrichment: enrichContact,
  briefing: writeBriefing,
};
