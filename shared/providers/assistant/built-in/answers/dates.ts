import type { ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { type DateMention, datesIn } from '#shared/providers/assistant/built-in/dates.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, plainName, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';
import {
  messagesOf,
  onlyBeginnings,
  openAll,
  type Said,
  threadsFor,
  unreadParts,
} from '#shared/providers/assistant/built-in/sources.ts';
import { dayIn, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { contentStems, cut, shared, without } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** Days that the mail mentions, those that are limits first. */

interface Dated extends DateMention {
  said: Said;
  sentence: string;
}

const LISTED = 8;

export function datedIn(said: readonly Said[]): Dated[] {
  return said.flatMap((each) =>
    sentencesOf(each.message.text, each.message.from?.name ?? '').flatMap((sentence) =>
      datesIn(sentence, each.message.sent_at).map((mention) => ({ ...mention, said: each, sentence })),
    ),
  );
}

/** One of several mentions of a day in a sentence is enough. */
function distinct(found: readonly Dated[]): Dated[] {
  const known = new Map(
    found.map((each) => [`${each.said.message.sent_at} ${each.sentence}`, each] as const).reverse(),
  );
  return found.filter((each) => known.get(`${each.said.message.sent_at} ${each.sentence}`) === each);
}

function line({ phrase, day, said, sentence, deadline }: Dated, workspace: Workspace): string {
  const { zone, asked } = workspace;
  const today = asked.now.toISOString().slice(0, 10);
  const when = day ? dayIn('UTC', `${day}T12:00:00Z`) : `“${phrase}”`;
  const past = day && day < today ? ', already past' : '';
  const where = asked.about?.type === 'thread' ? '' : ` on ${threadLink(said.thread)}`;
  const kind = deadline ? ' (deadline)' : '';
  return `- ${when}${kind}${past}: ${author(said.message)}${where}, ${timeIn(zone, said.message.sent_at)}: ${quote(sentence, 180)}`;
}

export function ranked(found: Dated[], wanted: ReadonlySet<string>, today: string): Dated[] {
  const points = (each: Dated) =>
    shared(wanted, contentStems(`${each.sentence} ${each.said.thread.subject ?? ''}`)) * 4 +
    (each.deadline ? 2 : 0) +
    (each.day !== null && each.day >= today ? 1 : 0);
  return distinct(found).sort((a, b) => points(b) - points(a));
}

export async function listed(found: readonly Dated[], workspace: Workspace): Promise<string> {
  if (found.length > LISTED) {
    const moments = found.slice(0, 20).map(({ phrase, said, sentence }) => ({
      at: said.message.sent_at,
      from: plainName(said.message.from),
      note: `${phrase}: ${cut(sentence, 160)}`,
      thread: said.thread,
    }));
    await workspace.showMoments('Dates in the mail', moments, 'Mentioned');
  }
  return lines(...found.slice(0, LISTED).map((each) => line(each, workspace)));
}

async function searched(workspace: Workspace): Promise<ThreadView[]> {
  const { threads } = await workspace.threads({ unresolved: true, limit: 5 });
  return openAll(threads, workspace);
}

const ASKING = contentStems(
  'deadline deadlines date dates due day days mentioned named set when task tasks todo open upcoming list today tomorrow week',
);

async function report(question: Question, workspace: Workspace, only: boolean): Promise<string | null> {
  const own = await threadsFor(question, workspace);
  const threads = own.length > 0 ? own : await searched(workspace);
  const wanted = without(contentStems(question.text), ASKING);
  const today = workspace.asked.now.toISOString().slice(0, 10);
  const all = datedIn(messagesOf(threads)).filter(({ deadline }) => deadline || !only);
  const found = ranked(all, wanted, today);
  if (found.length === 0) return null;
  return lines(
    await listed(found, workspace),
    own.length === 0 && `I looked at the newest ${threads.length} open threads.`,
    onlyBeginnings([...new Set(found.slice(0, LISTED).map(({ said }) => said.message))], workspace.zone),
    unreadParts(threads),
  );
}

export async function dates(question: Question, workspace: Workspace): Promise<string> {
  const limits =
    /\bdeadlines?\b|\bdue\b|\bby when\b/i.test(question.text) && !/\bdates\b/i.test(question.text);
  const found = await report(question, workspace, limits);
  if (found) return lines(limits ? 'Deadlines named in the mail:' : 'Dates named in the mail:', found);
  if (!limits) return 'I found no dates in the mail that I read.';
  const other = await report(question, workspace, false);
  return lines('I found no deadline in the mail that I read.', other && 'Other dates it names:', other);
}

/** The deadlines that the mail names, if there are any. */
export const deadlines = (question: Question, workspace: Workspace) => report(question, workspace, true);
