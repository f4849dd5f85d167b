import type { UserView } from '#shared/domain/assistant/answering/views.ts';
import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { type Due, dueIn } from '#shared/providers/assistant/built-in/due.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { quote } from '#shared/providers/assistant/built-in/say.ts';
import { dayIn, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { cut, fold, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Remind Ada to call Northwind on Friday", "add a task ...". */

const SELF = /^(?:me|us|myself|ourselves)$/i;

/** The colleague of that name; undefined for the asker. */
async function colleague(name: string | null, workspace: Workspace): Promise<UserView | undefined> {
  if (name === null || SELF.test(name)) return undefined;
  const { users } = await workspace.use('list_users', {});
  const wanted = fold(name);
  const whole = users.filter((user) => fold(user.name) === wanted);
  const first = users.filter((user) => fold(user.name).split(' ').includes(wanted));
  const found = whole.length > 0 ? whole : first;
  if (found.length === 0) throw new Cannot(`${quote(name, 80)} is none of your colleagues.`);
  if (found.length > 1)
    throw new Cannot(
      `${quote(name, 80)} fits several colleagues: ${listed(found.map((user) => user.name))}. Which one do you mean?`,
    );
  return found[0];
}

type Links = Partial<
  Record<'thread_id' | 'deal_id', string> & Record<'contact_ids' | 'organization_ids', string[]>
>;

/** Of the record that it was asked on. */
function linkHere({ asked: { about } }: Workspace): Links {
  if (!about) return {};
  const { type, id } = about;
  if (type === 'thread' || type === 'deal') return { [`${type}_id`]: id };
  return { [`${type}_ids`]: [id] };
}

const NAMED = /(?<=\s)\p{Lu}[\p{L}\p{N}&.'’-]*(?: (?:\p{Lu}|\p{N})[\p{L}\p{N}&.'’-]*){0,3}/gu;

/** The organization or contact of exactly that name, if there is one. */
async function linkNamed(name: string, workspace: Workspace): Promise<Links> {
  const same = (each: { name: string }) => fold(each.name) === fold(name);
  const { organizations } = workspace.has('search_organizations')
    ? await workspace.use('search_organizations', { query: name })
    : { organizations: [] };
  const [organization, ...others] = organizations.filter(same);
  if (organization && others.length === 0) return { organization_ids: [organization.id] };
  const { contacts } = workspace.has('search_contacts') ? await workspace.contacts(name) : { contacts: [] };
  const [contact, ...more] = contacts.filter(same);
  return contact && more.length === 0 ? { contact_ids: [contact.id] } : {};
}

async function linksOf(what: string, workspace: Workspace): Promise<Links> {
  if (workspace.asked.about) return linkHere(workspace);
  const [name] = what.match(NAMED) ?? [];
  return name === undefined ? {} : linkNamed(cut(name, 200), workspace);
}

function when({ due_at, all_day }: Due, { zone }: Workspace): string {
  return all_day ? dayIn('UTC', due_at) : timeIn(zone, due_at);
}

export async function addTask(question: Question, workspace: Workspace): Promise<string> {
  const { what, due } = dueIn(question.value ?? '', workspace.asked.now, workspace.zone);
  const name = cut(`${what[0]?.toUpperCase()}${what.slice(1)}`, 255);
  const [user, links] = [await colleague(question.person, workspace), await linksOf(what, workspace)];
  const params = { name, ...due, ...(user ? { assigned_user_id: user.id } : {}), ...links };
  const [for_whom, at] = [user ? ` for ${user.name}` : '', due ? `, due ${when(due, workspace)}` : ''];
  return propose(workspace, 'task.create', params, `add the task ${quote(name)}${for_whom}${at}`);
}
