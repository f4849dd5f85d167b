import type { Kind } from '#shared/providers/assistant/built-in/kind.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { abilities } from './abilities.ts';
import { addContact, changeContact } from './change-contacts.ts';
import { tag, untag } from './change-tags.ts';
import { dates, tasks } from './dates.ts';
import { files } from './files.ts';
import { findContact, findThreads } from './find.ts';
import { impossible } from './impossible.ts';
import { lastMailed } from './last-mailed.ts';
import { lastSaid } from './last-said.ts';
import { count, open } from './open.ts';
import { other } from './other.ts';
import { overview } from './overview.ts';
import { participants } from './participants.ts';
import { questions } from './questions.ts';
import { said } from './said.ts';
import { summary } from './summary.ts';
import { tagged, tags } from './tags.ts';
import { when } from './when.ts';
import { detail, who } from './who.ts';

/** One answer for each kind of question. */
export const answers: Record<Kind, (question: Question, workspace: Workspace) => Promise<string>> = {
  abilities: async (_, workspace) => abilities(workspace),
  'add-contact': addContact,
  cannot: async (question) => impossible(question),
  'change-contact': changeContact,
  count,
  dates,
  detail,
  files,
  'find-contact': findContact,
  'find-threads': findThreads,
  'last-mailed': lastMailed,
  'last-said': lastSaid,
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
