import type { Kind } from '#shared/providers/assistant/built-in/kind.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { abilities } from './abilities.ts';
import { addJob } from './add-job.ts';
import { addDeal, addOrganization } from './add-records.ts';
import { addTask } from './add-task.ts';
import { addContact, changeContact } from './change-contacts.ts';
import { tag, untag } from './change-tags.ts';
import { completeTask } from './complete-task.ts';
import { dates } from './dates.ts';
import { draftReply } from './draft-reply.ts';
import { files } from './files.ts';
import { findContact, findThreads } from './find.ts';
import { impossible } from './impossible.ts';
import { lastMailed } from './last-mailed.ts';
import { lastSaid } from './last-said.ts';
import { moveDeal } from './move-deal.ts';
import { count, open } from './open.ts';
import { other } from './other.ts';
import { overview } from './overview.ts';
import { participants } from './participants.ts';
import { questions } from './questions.ts';
import { said } from './said.ts';
import { summary } from './summary.ts';
import { tagged, tags } from './tags.ts';
import { tasks } from './tasks.ts';
import { when } from './when.ts';
import { detail, who } from './who.ts';

/** One answer for each kind of question. */
export const answers: Record<Kind, (question: Question, workspace: Workspace) => Promise<string>> = {
  abilities: async (_, workspace) => abilities(workspace),
  'add-contact': addContact,
  'add-deal': addDeal,
  'add-job': addJob,
  'add-organization': addOrganization,
  'add-task': addTask,
  cannot: async (question) => impossible(question),
  'change-contact': changeContact,
  'complete-task': completeTask,
  count,
  dates,
  detail,
  'draft-reply': draftReply,
  files,
  'find-contact': findContact,
  'find-threads': findThreads,
  'last-mailed': lastMailed,
  'last-said': lastSaid,
  'move-deal': moveDeal,
  open,
  other,
  overview,
  participants,
  questions,
  said,
  summary,
  tag,
  tagged,
  tags,
  tasks,
  untag,
  when,
  who,
};
