import {
  type Asked,
  type Assistant,
  type Toolbox,
  ToolRefused,
} from '#shared/domain/assistant/answering/assistant.ts';
import { answers } from '#shared/providers/assistant/built-in/answers/answers.ts';
import { lookUp } from '#shared/providers/assistant/built-in/answers/look-up.ts';
import { prepare } from '#shared/providers/assistant/built-in/answers/prepare.ts';
import { brief } from './brief.ts';
import { Cannot, Nobody } from './cannot.ts';
import { chooseTags } from './choose-tags.ts';
import { findDeal } from './find-deal.ts';
import { findFacts } from './find-facts.ts';
import { findTasks } from './find-tasks.ts';
import type { Kind } from './kind.ts';
import { noteMeeting } from './note-meeting.ts';
import { type Question, readQuestion } from './question.ts';
import { lines } from './say.ts';
import { summarize } from './summarize.ts';
import { knownZone } from './times.ts';
import { cut } from './words.ts';
import { Workspace } from './workspace.ts';

/**
 * Answers without a language model: looks up, counts and quotes, and says so when it cannot. It reads questions from
 * the asker's own words only; the text of mail is quoted and never followed.
 */

const NOTHING = { input_tokens: 0, output_tokens: 0 };

/** What is asked of a meeting as a whole. */
const PREPARING = /\b(?:prepare|brief|summari[sz]e|overview)\b/i;

const CHANGES = new Set<Kind>([
  'tag',
  'untag',
  'add-contact',
  'add-deal',
  'add-job',
  'add-organization',
  'add-task',
  'change-contact',
  'complete-task',
  'move-deal',
]);

/** "Who is Colin?": a person without mail who is mentioned in it. */
async function perhaps(nobody: string, { text, person }: Question, workspace: Workspace): Promise<string> {
  const found = await lookUp(text, workspace);
  // "What is the order number?" asks for no person.
  return found && /^\p{Ll}/u.test(person ?? '') ? found : lines(nobody, found);
}

async function answer(asked: Asked, tools: Toolbox, deadline: number): Promise<string> {
  const earlier = asked.past.filter(({ role }) => role === 'user').map(({ text }) => text);
  const question = readQuestion(asked.text, earlier.reverse().slice(0, 4));
  const workspace = new Workspace(asked, knownZone(asked.asker.time_zone), tools, deadline);
  try {
    const event = PREPARING.test(asked.text) ? await workspace.ownEvent() : null;
    if (event) return await prepare(event, workspace);
    return await answers[question.kind](question, workspace).catch((error) => {
      if (error instanceof Nobody && !CHANGES.has(question.kind))
        return perhaps(error.message, question, workspace);
      throw error;
    });
  } catch (error) {
    if (error instanceof Cannot) return error.message;
    if (error instanceof ToolRefused) return `I could not look that up: ${cut(error.message, 500)}`;
    throw error;
  }
}

export const builtInAssistant: Assistant = {
  name: 'built-in',
  answer: async (asked, tools, deadline) => ({ text: await answer(asked, tools, deadline), usage: NOTHING }),
  summarize: async (thread) => ({ ...summarize(thread), usage: NOTHING }),
  chooseTags: async (thread, tags) => ({ tag_ids: chooseTags(thread, tags), usage: NOTHING }),
  findFacts: async (mail) => ({ facts: findFacts(mail), usage: NOTHING }),
  findTasks: async (mail) => ({ tasks: findTasks(mail), usage: NOTHING }),
  findDeal: async (mail, deals) => ({ signal: findDeal(mail, deals), usage: NOTHING }),
  noteMeeting: async (meeting) => ({ notes: noteMeeting(meeting), usage: NOTHING }),
  brief: async (day) => ({ text: brief(day), usage: NOTHING }),
};
