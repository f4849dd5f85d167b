import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { findPerson } from '#shared/providers/assistant/built-in/people.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, plainName, quote } from '#shared/providers/assistant/built-in/say.ts';
import { cut, fold } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Priya works at Northwind as a pilot". */

const TITLE = / as (?:an? |the )?(?<title>.{1,200})$/i;

/** By its id when there is one of that name. */
async function employer(name: string, workspace: Workspace): Promise<{ id: string } | { name: string }> {
  if (!workspace.has('search_organizations')) return { name };
  const { organizations } = await workspace.use('search_organizations', { query: name });
  const there = organizations.find((each) => fold(each.name) === fold(name));
  return there ? { id: there.id } : { name };
}

export async function addJob(question: Question, workspace: Workspace): Promise<string> {
  const said = question.value ?? '';
  const match = TITLE.exec(said);
  const title = match?.groups?.title;
  const at = cut(said.slice(0, match?.index), 200);
  const person = await findPerson(question.person, workspace);
  const name = plainName(person);
  if (person.contact_id === null)
    throw new Cannot(`${name} is no contact yet; ask me to add ${name} as a contact first.`);
  const link = contactLink({ id: person.contact_id, name });
  const params = {
    record_id: person.contact_id,
    organization: await employer(at, workspace),
    ...(title ? { title } : {}),
  };
  const what = `add a job of ${link} at ${quote(at, 200)}${title ? ` as ${quote(title, 200)}` : ''}`;
  return propose(workspace, 'employment.create', params, what);
}
