import { describe, expect, it } from 'vitest';
import { pathTemplates } from '#shared/api/route.ts';
import { operations } from '../../functions/catalogue.ts';
import { type DemoFeature, demoFeatures, type Subject } from '../../infra/local/demo/features.ts';
import { type DemoFile, demoUser } from '../../infra/local/demo/fill.ts';
import { type DemoUserKey, demoAccounts } from '../../infra/local/demo/people.ts';
import { withDemo } from '../../infra/local/demo/with-demo.ts';
import { type List, lists } from '../support/demo-lists.ts';

/** What the demo promises in features.ts is there, and its second account has something in every list. */

type Row = Record<string, unknown>;
type Demo = DemoFile;

/** A record, or the records of a list, whatever they are wrapped in. */
function rowsOf(body: Row): Row[] {
  const { records = Object.values(body)[0] } = (body.collection ?? body) as { records?: unknown };
  if (Array.isArray(records)) return records;
  const groups = Object.values(records as Row);
  return groups.every(Array.isArray) ? groups.flat() : [records as Row];
}

async function get(demo: Demo, by: DemoUserKey, path: string): Promise<Row[]> {
  const key = demoUser(demo, by).session_token;
  const response = await fetch(`${demo.base_url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status, path).toBe(200);
  return rowsOf((await response.json()) as Row);
}

async function idOf(demo: Demo, by: DemoUserKey, subject: Subject): Promise<string> {
  const found = async (path: string, field: string, name: string) =>
    (await get(demo, by, path)).find((row) => row[field] === name)?.id as string;
  if ('thread' in subject) return found('/threads', 'subject', subject.thread);
  if ('organization' in subject) return found('/organizations', 'name', subject.organization);
  if ('contact' in subject) return found('/contacts', 'name', subject.contact);
  if ('deal' in subject) return found('/deals', 'name', subject.deal);
  if ('space' in subject) return found('/spaces', 'name', subject.space);
  if ('milestone' in subject) return found('/milestones', 'name', subject.milestone);
  if ('calendar_event' in subject) return found('/calendar_events', 'name', subject.calendar_event);
  if ('file' in subject) return found('/files', 'name', subject.file);
  if ('task' in subject) return found('/tasks', 'name', subject.task);
  if ('conversation' in subject) return found('/conversations', 'title', subject.conversation);
  if ('mailbox' in subject) return demoUser(demo, subject.mailbox).mailbox_ids[0] as string;
  const tables = await get(demo, by, '/imports');
  const table = tables.find(({ file_name }) => file_name === subject.import);
  if (table) return String(table.id);
  const { mailbox_ids, import_ids } = demoUser(demo, by);
  for (const id of import_ids) {
    const [row] = await get(demo, by, `/mailboxes/${mailbox_ids[0]}/imports/${id}`);
    if (row?.file_name === subject.import) return id;
  }
  throw new Error(`${by} has no import of ${subject.import}`);
}

async function pathOf(demo: Demo, { operation, by, of, query }: DemoFeature): Promise<string> {
  const { definition } = operations.find(({ name }) => name === operation)!;
  const [type] = Object.keys(of ?? {});
  const templates = pathTemplates(definition.path).map(({ template }) => template);
  const template = templates.find((each) => !type || each.includes(`{${type}_id}`)) ?? templates[0]!;
  const id = of && (await idOf(demo, by, of));
  const mailbox = demoUser(demo, by).mailbox_ids[0];
  const path =
    operation === 'retrieveMailImport'
      ? template.replace('{mailbox_id}', `${mailbox}`).replace('{id}', `${id}`)
      : template.replace(/\{\w+\}/, `${id}`);
  return `${path}?${new URLSearchParams(query)}`;
}

const people: readonly string[] = demoAccounts.flatMap(({ users }) => users.map(({ key }) => key));

/** `some` is anything but null; keys of people are their ids. */
function matches(demo: Demo, shown: unknown, found: unknown): boolean {
  if (shown === 'some') return found !== null && found !== undefined;
  if (typeof shown === 'string' && people.includes(shown))
    return found === demoUser(demo, shown as DemoUserKey).id;
  if (Array.isArray(shown))
    return Array.isArray(found) && shown.every((each) => found.some((one) => matches(demo, each, one)));
  if (shown !== null && typeof shown === 'object')
    return Object.entries(shown).every(([name, value]) =>
      matches(demo, value, (found as Row | null)?.[name]),
    );
  return shown === found;
}

/** Every address of the list for a user: a list of comments has one for each thread of the user. */
async function addressesOf(demo: Demo, by: DemoUserKey, { template, of }: List): Promise<string[]> {
  if (!of) return [template];
  const parents = lists.find((each) => each.template === `/${of}${of.endsWith('x') ? 'es' : 's'}`)!;
  const ids = (await get(demo, by, parents.template)).map(({ id }) => id as string);
  return ids.map((id) => template.replace(/\{\w+\}/, id));
}

async function isEmpty(demo: Demo, users: readonly DemoUserKey[], list: List): Promise<boolean> {
  for (const by of users)
    for (const path of await addressesOf(demo, by, list))
      if ((await get(demo, by, path)).length > 0) return false;
  return true;
}

describe('the demo', () => {
  it('shows all its features, in both accounts', async () => {
    await withDemo(async ({ demo }) => {
      const missing: string[] = [];
      for (const feature of demoFeatures) {
        const rows = await get(demo, feature.by, await pathOf(demo, feature));
        if (!rows.some((row) => matches(demo, feature.shows, row))) missing.push(feature.feature);
      }
      expect(missing).toEqual([]);

      const empty: string[] = [];
      // The service has no terms of its own, and everybody of Globex reads its one mailbox.
      const without = { acme: ['listTermsAssents'], globex: ['listTermsAssents', 'listShareRequests'] };
      for (const { key, users } of demoAccounts)
        for (const list of lists.filter(({ operation }) => !without[key].includes(operation)))
          if (
            await isEmpty(
              demo,
              users.map((user) => user.key),
              list,
            )
          )
            empty.push(`${key} ${list.template}`);
      expect(empty).toEqual([]);
    });
  }, 300_000);
});
