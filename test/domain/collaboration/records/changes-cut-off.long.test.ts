import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import type { Table } from '#shared/table/table.ts';
import { makers } from '../../../support/deletions.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { STRIDE } from '../../../support/long.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { asJson, bearer, raw } from '../../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/**
 * Each call to the table fails in turn while a record is changed or deleted, before and after it is executed, or as the
 * last one of a process: the record is as before or as after, the same in all that shows it, and a repeat does the rest.
 */

const OLD = 'Amber Quarry';
const NEW = 'Cobalt Meadow';

interface Change {
  before: object;
  after: object;
  /** Filters that find the record before the change only, and after it only. */
  old: string[];
  new: string[];
  /** Others see the record after it, too. */
  seen?: true;
}

/** Fields and links that have names and lists of their own. */
const families = {
  contacts: async ({ ada }) => {
    const { id } = await givenOrganization(ada);
    return {
      before: { email_addresses: [{ email_address: 'amber@quarry.example' }] },
      after: {
        email_addresses: [{ email_address: 'cobalt@meadow.example' }],
        employments: [{ title: 'Pilot', organization: { id } }],
      },
      old: ['email_address=amber@quarry.example', 'slice=unemployed'],
      new: ['email_address=cobalt@meadow.example', `organization_id=${id}`],
    };
  },
  organizations: async () => ({
    before: { domains: ['quarry.example'] },
    after: { domains: ['meadow.example'], links: [{ url: 'https://meadow.example/' }] },
    old: ['domain=quarry.example'],
    new: ['domain=meadow.example'],
  }),
  deals: async (workspace) => ({ ...(await linked(workspace)), seen: true }),
  tasks: async (workspace) => {
    const { after, ...rest } = await linked(workspace);
    const due = { after: { ...after, due_at: '2095-03-01T09:00:00.000Z' }, seen: true as const };
    return {
      ...rest,
      ...due,
      old: [...rest.old, 'slice=unscheduled'],
      new: [...rest.new, 'due_after=2095-01-01'],
    };
  },
  files: async ({ ada }) => {
    const [first, second] = [await givenContact(ada), await givenContact(ada)];
    return {
      before: { contact_ids: [first.id] },
      after: { contact_ids: [second.id] },
      old: [`contact_id=${first.id}`],
      new: [`contact_id=${second.id}`],
    };
  },
} satisfies Record<string, (workspace: Workspace) => Promise<Change>>;

type Family = keyof typeof families;

async function linked({ ada, grace }: Workspace) {
  const [first, second] = [await givenContact(ada), await givenContact(ada)];
  return {
    before: { contact_ids: [first.id] },
    after: { contact_ids: [second.id], assigned_user_id: grace.user.id },
    old: [`contact_id=${first.id}`],
    new: [`contact_id=${second.id}`, `assigned_user_id=${grace.user.id}`],
  };
}

const FIRST = 'crm-1';
const SECOND = 'crm-2';

interface Way {
  does: 'update' | 'upsert' | 'delete';
  ends: 'new' | 'gone';
}
type State = 'old' | Way['ends'];

const waysOf = (type: Family): Way[] => [
  { does: 'update', ends: 'new' },
  ...(type === 'files' ? [] : [{ does: 'upsert', ends: 'new' } as const]),
  { does: 'delete', ends: 'gone' },
];

const faults = [
  (table: Table, call: number) => failCall(table, call, 'before'),
  (table: Table, call: number) => failCall(table, call, 'after'),
  crashAfter,
];

/** After the calls of the authentication, which are the same for all (test/catalogue/failing-table.long.test.ts). */
const FIRST_FAULT = 3 * faults.length;
/** Every change takes three more calls at least: with a stride, each begins with another fault of them. */
const FEWEST = Math.min(STRIDE, 3 * faults.length);

/** Each fault of each call in turn, from 0. */
const faultAt = ({ table }: Workspace, nth: number) =>
  faults[nth % faults.length]!(table, 1 + Math.floor(nth / faults.length));

describe.each((Object.keys(families) as Family[]).map((type, i) => ({ type, i })))(
  '$type',
  ({ type, i: place }) => {
    let workspace: Workspace;
    let change: Change;
    let requests = 0;
    const started = Date.now();
    const wrapper = singular(type);
    const hasExternalId = type !== 'files';

    beforeAll(async () => {
      workspace = await startWorkspace({ files: type === 'files' });
      change = await families[type](workspace);
    });
    afterAll(() => workspace?.stop());

    async function send(key: string, method: string, path: string, fields?: object) {
      // A moment for every request: keys stay below their limits, and a second change has another time.
      workspace.setTime(new Date(started + 150 * requests++));
      const { status, json } = await raw(workspace.url, {
        method,
        path,
        headers: [bearer(key), ...(fields ? [asJson] : [])],
        ...(fields ? { body: JSON.stringify({ [wrapper]: fields }) } : {}),
      });
      return { status, json, code: `${status} ${json.error?.code ?? 'ok'}` };
    }
    const get = async (user: TestUser, path: string) => (await send(user.read_key, 'GET', path)).json;

    /** The names in a list, and their count. */
    async function listed(user: TestUser, query: string) {
      const [{ collection }, { count }] = (await Promise.all([
        get(user, `/${type}?${query}`),
        get(user, `/${type}/count?${query}`),
      ])) as [{ collection: { records: { name: string }[] } }, { count: { total: number } }];
      return [query, ...collection.records.map(({ name }) => name), count.total];
    }
    async function searched(query: string) {
      const { search } = (await get(workspace.ada, `/search?query=${query}&types=${wrapper}`)) as {
        search: { results: { id: string }[] };
      };
      return [`search ${query}`, ...search.results.map(({ id }) => id)];
    }

    /** What each filter of a reader is to find, in a state. */
    function filtersOf({ does }: Way): [TestUser, string, State[]][] {
      const { ada, grace } = workspace;
      const both: State[] = ['old', 'new'];
      const each = (queries: string[], states: State[]) =>
        queries.map((query): [TestUser, string, State[]] => [ada, query, states]);
      const ids: [TestUser, string, State[]][] = [
        [ada, `external_id=${FIRST}`, does === 'update' ? ['old'] : both],
        [ada, `external_id=${SECOND}`, does === 'update' ? ['new'] : []],
      ];
      return [
        [ada, '', both],
        [grace, '', change.seen ? both : ['old']],
        ...each(['query=amber', ...change.old], ['old']),
        ...each(['query=cobalt', ...change.new], ['new']),
        ...(hasExternalId ? ids : []),
      ];
    }

    /** The record as it is retrieved, with its history; undefined when it is gone. */
    async function shown(id: string) {
      const { json } = await send(workspace.ada.read_key, 'GET', `/${type}/${id}`);
      if (json.error?.code === 'record_not_found') return undefined;
      const history = (historyTypes as readonly string[]).includes(type)
        ? await get(workspace.ada, `/${type}/${id}/history`)
        : {};
      return { record: json[wrapper] as { name: string }, history };
    }

    /** The state that a record is in, which lists, counts and search show as well. */
    async function stateOf(id: string, way: Way): Promise<{ state: State; whole: unknown }> {
      const whole = await shown(id);
      const state = whole ? (whole.record.name === OLD ? 'old' : 'new') : 'gone';
      const name = whole?.record.name;
      const lists = filtersOf(way).map(async ([user, query, states]) =>
        expect(await listed(user, query)).toEqual([query, ...(states.includes(state) ? [name, 1] : [0])]),
      );
      const searches = (
        [
          ['quarry', 'old'],
          ['meadow', 'new'],
        ] as const
      ).map(async ([word, at]) =>
        expect(await searched(word)).toEqual([`search ${word}`, ...(state === at ? [id] : [])]),
      );
      await Promise.all([...lists, ...searches]);
      return { state, whole };
    }

    function act(id: string, { does }: Way) {
      const fields = { ...change.after, name: NEW, ...(change.seen ? {} : { visibility: 'private' }) };
      const key = workspace.ada.write_key;
      if (does === 'delete') return send(key, 'DELETE', `/${type}/${id}`);
      if (does === 'upsert')
        return send(key, 'POST', `/${type}?upsert=external_id`, { ...fields, external_id: FIRST });
      return send(key, 'PATCH', `/${type}/${id}`, {
        ...fields,
        ...(hasExternalId ? { external_id: SECOND } : {}),
      });
    }

    const given = async () => {
      const external = hasExternalId ? { external_id: FIRST } : {};
      const draft = { ...change.before, ...external, name: OLD, visibility: 'account' };
      return (await makers[type](workspace, workspace.ada, draft)).id;
    };

    /** Whether the fault was reached. */
    async function cutOff(way: Way, fail: () => Fault): Promise<boolean> {
      const id = await given();
      const before = await shown(id);
      const fault = fail();
      const { status, code } = await act(id, way);
      fault.remove();
      expect(code).toMatch(fault.hit ? /^(20[04] ok|500 error)$/ : /^20[04] ok$/);
      if (fault.hit) await completed(id, way, { before, done: status < 300 });
      if (way.ends === 'new') await send(workspace.ada.write_key, 'DELETE', `/${type}/${id}`);
      return fault.hit;
    }

    async function completed(id: string, way: Way, { before, done }: { before: unknown; done: boolean }) {
      const { state, whole } = await stateOf(id, way);
      expect(done ? [way.ends] : ['old', way.ends]).toContain(state);
      if (state === 'old') expect(whole).toEqual(before);
      const repeated = { old: '204 ok', new: '200 ok', gone: '404 record_not_found' };
      expect((await act(id, way)).code).toBe(repeated[way.ends === 'new' ? 'new' : state]);
      if (state === 'old') expect((await stateOf(id, way)).state).toBe(way.ends);
      else expect(await shown(id)).toEqual(whole);
    }

    it.each(waysOf(type).map((way, i) => ({ ...way, first: FIRST_FAULT + ((4 * place + i) % FEWEST) })))(
      '$does',
      { timeout: 600_000 },
      async ({ first, ...way }) => {
        let nth = first;
        while (await cutOff(way, () => faultAt(workspace, nth))) nth += STRIDE;
        expect(nth).toBeGreaterThan(first);
      },
    );
  },
);
