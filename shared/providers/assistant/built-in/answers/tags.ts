import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, lines, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { counted, cut, fold, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { listThreads } from './open.ts';

/** The tags of a record, or of the workspace. */
export async function tags(question: Question, workspace: Workspace): Promise<string> {
  const everywhere = /\b(?:exist|available|all|workspace|are there|do we (?:have|use)|use)\b/i.test(
    question.text,
  );
  const record = everywhere ? null : ((await workspace.ownThread()) ?? (await workspace.ownContact()));
  if (record) {
    const name = record.type === 'thread' ? threadLink(record) : contactLink(record);
    if (record.tags.length === 0) return `${name} has no tags.`;
    return `${name} has ${counted(record.tags.length, 'tag')}: ${listed(record.tags.slice(0, 30).map((each) => cut(each, 60)))}.`;
  }
  const { tags: all } = await workspace.use('list_tags', {});
  if (all.length === 0) return 'There are no tags in this workspace yet.';
  const names = all.map(({ name, description }) =>
    description ? `${cut(name, 60)} (${cut(description, 80)})` : cut(name, 60),
  );
  return lines(
    `${counted(all.length, 'tag')} in this workspace: ${listed(names.slice(0, 20))}.`,
    all.length > 20 && `These are the first 20.`,
  );
}

/** Threads with a tag, among the newest ones. */
export async function tagged(question: Question, workspace: Workspace): Promise<string> {
  const name = question.topic ?? '';
  const { threads, total } = await workspace.threads({ limit: 20 });
  const found = threads.filter((thread) => thread.tags.some((tag) => fold(tag) === fold(name)));
  const among =
    total > threads.length ? ` among the newest ${threads.length} threads; I looked no further` : '';
  if (found.length === 0) return `I found no thread tagged ${quote(name, 80)}${among}.`;
  return lines(
    `${counted(found.length, 'thread')} tagged ${quote(name, 80)}${among}: ${listed(found.slice(0, 5).map(threadLink))}${found.length > 5 ? ' and more' : ''}.`,
    await listThreads(found, `Tagged ${cut(name, 60)}`, workspace),
  );
}
