import type { ContactView, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { foldName } from '#shared/folding.ts';
import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { findPerson } from '#shared/providers/assistant/built-in/people.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { findThread } from '#shared/providers/assistant/built-in/sources.ts';
import { cut, fold, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Tag this as X", "remove the tag X". */

const HERE =
  /^(?:this|it|that|here|(?:this|the) (?:thread|contact|mail|e-?mail|conversation|record|person)|him|her|them)$/i;
const THREAD = /\b(?:thread|mail|e-?mail|conversation|message)s?\b/i;

async function target(question: Question, workspace: Workspace): Promise<ThreadView | ContactView> {
  const named = question.topic && !HERE.test(question.topic) ? question.topic : null;
  if (!named) {
    const here = (await workspace.ownThread()) ?? (await workspace.ownContact());
    if (here) return here;
    throw new Cannot('I do not know what to tag. Please ask on the thread or contact itself.');
  }
  if (THREAD.test(named)) {
    const about = named
      .replace(/\b(?:the|thread|mail|e-?mail|conversation|message|about|on|with)\b/gi, ' ')
      .trim();
    const thread = await findThread(about, workspace);
    if (thread) return thread;
  }
  const person = await findPerson(named, workspace);
  if (person.contact_id === null) throw new Cannot(`${quote(named, 80)} is no contact that I can tag.`);
  return workspace.contact(person.contact_id);
}

function on(record: ThreadView | ContactView) {
  return {
    record_type: record.type,
    record_id: record.id,
    link: record.type === 'thread' ? threadLink(record) : contactLink(record),
  };
}

const same = (name: string) => (other: string) => fold(other) === fold(name);
const exactly = (name: string) => (other: string) => foldName(other) === foldName(name);

/** The one of that name, else one that differs in accents only. */
function named<T>(all: T[], name: string, nameOf: (each: T) => string): T | undefined {
  return all.find((each) => exactly(name)(nameOf(each))) ?? all.find((each) => same(name)(nameOf(each)));
}

async function known(name: string, workspace: Workspace) {
  if (!workspace.has('list_tags')) return undefined;
  const { tags } = await workspace.use('list_tags', {});
  return named(tags, name, (tag) => tag.name);
}

/** The longest name a tag may have. */
const MAX_NAME = 100;

export async function tag(question: Question, workspace: Workspace): Promise<string> {
  const name = question.value ?? '';
  if (name.length > MAX_NAME) throw new Cannot('That name is too long for a tag.');
  const record = await target(question, workspace);
  const { record_type, record_id, link } = on(record);
  const found = await known(name, workspace);
  if (record.tags.some(exactly(found?.name ?? name))) return `${link} has the tag ${quote(name)} already.`;
  const which = found ? { tag_id: found.id } : { tag: { name } };
  const what = found ? `tag ${link} as ${quote(found.name)}` : `tag ${link} as ${quote(name)}, a new tag`;
  return propose(workspace, 'tag.apply', { record_type, record_id, ...which }, what);
}

export async function untag(question: Question, workspace: Workspace): Promise<string> {
  const name = question.value ?? '';
  const record = await target(question, workspace);
  const { record_type, record_id, link } = on(record);
  const carried = named(record.tags, name, (each) => each);
  if (carried === undefined) {
    const tags = record.tags.slice(0, 20).map((each) => cut(each, 60));
    const has = tags.length > 0 ? `it has ${listed(tags)}` : 'it has no tags';
    return `${link} does not have the tag ${quote(name, 80)}; ${has}.`;
  }
  const found = await known(carried, workspace);
  if (!found) throw new Cannot(`I could not find the tag ${quote(name, 80)} in the list of tags.`);
  return propose(
    workspace,
    'tag.remove',
    { record_type, record_id, tag_id: found.id },
    `remove the tag ${quote(found.name)} from ${link}`,
  );
}
