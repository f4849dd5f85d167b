import fc from 'fast-check';
import { calendarIdOf } from '#shared/domain/calendar/calendars/store.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { extensionOf } from '#shared/domain/work/files/extension.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { givenEvent } from './events.ts';
import { givenFile } from './files.ts';
import { givenContact } from './proposals.ts';
import { putAtOnce } from './seeding.ts';
import { givenSpace } from './spaces.ts';
import { taggingOf } from './tags.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Uploaded files of a model of lists, and the records that they are linked to. */

/** What a file may be linked to, by place: of these only the event is not seen by everybody. */
const TYPES = ['contacts', 'contacts', 'organizations', 'deals', 'calendar_events', 'spaces'] as const;
const EVENT = 4;
const PARAMETERS = {
  contacts: 'contact_id',
  organizations: 'organization_id',
  deals: 'deal_id',
  calendar_events: 'calendar_event_id',
  spaces: 'space_id',
};

const places = TYPES.map((_, place) => place);

export const uploadFields = {
  name: fc.constantFrom('a.txt', 'B plan.PDF', 'Ärger', 'b.txt'),
  size: fc.nat(3),
  visibility: fc.constantFrom('account' as const, 'private' as const, 'linked' as const),
  links: fc.subarray(places, { maxLength: 2 }),
};

/** What lists ask about links and tags, by place. */
export const uploadQuestions = {
  linked: fc.subarray(places, { minLength: 1, maxLength: 2 }),
  tagged: fc.constantFrom([0], [1], [0, 1], [0, 1]),
  tag_operator: fc.constantFrom('any' as const, 'all' as const),
};

type Drawn<T> = { [K in keyof T]: T[K] extends fc.Arbitrary<infer Value> ? Value : never };
type Fields = Drawn<typeof uploadFields>;
type Asked = { [K in keyof typeof uploadQuestions]?: Drawn<typeof uploadQuestions>[K] | undefined };

/** An uploaded file of the model. */
interface Upload extends Omit<Fields, 'name' | 'size'> {
  id: string;
  by: number;
  tags: Set<number>;
  /** Users by number. */
  shared: Set<number>;
}

const HOUR = 3_600_000;

/** Without the checks of linked records, which nothing changes meanwhile. */
const unchecked = (table: Table): Table =>
  Object.assign(Object.create(table), {
    transact: (writes: Write[]) => table.transact(writes.filter((write) => !('check' in write))),
  });

export async function uploadsOf(workspace: Workspace, users: TestUser[], mailbox_id: string) {
  const [first] = users as [TestUser, ...TestUser[]];
  const { api } = first;
  const visibility = 'account' as const;
  const refs: RecordRef[] = [
    await givenContact(first),
    await givenContact(first),
    (await api.createOrganization({ body: { organization: { name: 'Acme' } } })).body.organization,
    (await api.createDeal({ body: { deal: { name: 'Fleet', visibility } } })).body.deal,
    await givenEvent(first, calendarIdOf(mailbox_id)),
    await givenSpace(first),
  ].map(({ id }, place) => ({ type: TYPES[place] as RecordRef['type'], id }));
  const tag_ids = await Promise.all(
    ['One', 'Two'].map(async (name) => (await api.createTag({ body: { tag: { name } } })).body.tag.id),
  );
  const uploads: Upload[] = [];
  /** Whether the third user reads the mailbox of the event. */
  let open = false;

  const seesEvent = (i: number) => i === 0 || (i === 2 && open);
  const linksOf = (links: number[]) => links.map((place) => refs[place] as RecordRef);

  async function upload(
    by: number,
    { name, links, ...rest }: Fields,
    table = workspace.table,
    more: Partial<File> = {},
  ) {
    const given = {
      name,
      file_name: name,
      extension: extensionOf(name),
      ...rest,
      links: linksOf(links),
      ...more,
    };
    const { id } = await givenFile({ ...workspace, table }, users[by] as TestUser, given);
    const none = { tags: new Set<number>(), shared: new Set<number>() };
    const added: Upload = { id, by, links, visibility: rest.visibility, ...none };
    uploads.push(added);
    return added;
  }

  /** Many files of the last weeks, in pairs of the same moment, most of them visible to all and some with tags. */
  async function crowd(drawn: Fields[]) {
    const opened = new Date(Date.now() - drawn.length * 10 * HOUR).toISOString();
    // No record is older than its account.
    await workspace.table.update<Account>(keys.account(first.user.account_id), {
      set: { created_at: opened },
    });
    const one = async (i: number, fields: Fields, table: Table) => {
      const created = Date.now() - Math.floor(i / 2) * 10 * HOUR;
      const updated_at = i % 4 === 3 ? new Date(created + 2 * HOUR).toISOString() : null;
      const tags = [0, 1].filter((place) => (i >> place) % 2 === 1);
      const carried = tags.map((place) => tag_ids[place] as string);
      const more = {
        created_at: new Date(created).toISOString(),
        updated_at,
        ...(tags.length > 0 ? { tag_ids: new Set(carried) } : {}),
      };
      const added = await upload(i % 3, fields, table, more);
      added.tags = new Set(tags);
      for (const tag_id of carried)
        await table.put(taggingOf({ type: 'files', id: added.id }, tag_id, first.user.account_id));
    };
    const isDrawn = (i: number) => i % 20 === 0;
    await putAtOnce(workspace.table, async (gathering) => {
      const table = unchecked(gathering);
      for (const [i, fields] of drawn.entries())
        if (!isDrawn(i)) await one(i, { ...fields, visibility }, table);
    });
    // Jobs write some lists of these, which have to be stored before.
    for (const [i, fields] of drawn.entries()) if (isDrawn(i)) await one(i, fields, workspace.table);
  }

  const at = (which: number) => uploads[which % Math.max(1, uploads.length)];
  const on = ({ id }: Upload) => ({ record_type: 'files' as const, record_id: id });
  const ownerOf = ({ by }: Upload) => (users[by] as TestUser).api;

  async function link(which: number, links: number[]) {
    const file = at(which);
    if (!file) return;
    const ids = (type: RecordRef['type']) =>
      linksOf(links)
        .filter((ref) => ref.type === type)
        .map(({ id }) => id);
    const sent = {
      contact_ids: ids('contacts'),
      organization_ids: ids('organizations'),
      deal_ids: ids('deals'),
      space_ids: ids('spaces'),
    };
    // Only what is visible can be sent, and stays where it is hidden.
    const event = seesEvent(file.by) ? { calendar_event_id: ids('calendar_events')[0] ?? null } : {};
    await ownerOf(file).updateFile({
      params: { id: file.id },
      body: { file: { ...sent, ...event } } as never,
    });
    const kept = file.links.filter((place) => place === EVENT);
    file.links = seesEvent(file.by) ? links : [...links.filter((place) => place !== EVENT), ...kept];
  }

  async function tag(which: number, place: number, given: boolean) {
    const file = at(which);
    if (!file) return;
    const tag_id = tag_ids[place] as string;
    if (given) await ownerOf(file).applyTag({ params: on(file), body: { tag_id } });
    else await ownerOf(file).removeTag({ params: { ...on(file), tag_id } });
    file.tags[given ? 'add' : 'delete'](place);
  }

  async function share(which: number, target: number, given: boolean) {
    const file = at(which);
    if (!file || file.by === target) return;
    const body = { share: { user_id: (users[target] as TestUser).user.id } };
    const { id } = (await ownerOf(file).createShare({ params: on(file), body })).body.share;
    if (!given) await ownerOf(file).deleteShare({ params: { ...on(file), id } });
    file.shared[given ? 'add' : 'delete'](target);
  }

  const sees = ({ by, visibility, shared, links }: Upload, i: number) =>
    by === i ||
    visibility === 'account' ||
    shared.has(i) ||
    (visibility === 'linked' && links.some((place) => place !== EVENT || seesEvent(i)));

  /** Any of those of a type, and one of each type; files of mail are linked to nothing, and without tags. */
  function keeps(id: string, { linked, tagged, tag_operator }: Asked): boolean {
    const { links = [], tags = new Set() } = uploads.find((each) => each.id === id) ?? {};
    const carried = tagged?.filter((place) => tags.has(place)).length ?? 0;
    return (
      (linked ?? []).every((place) =>
        linked?.some((other) => TYPES[other] === TYPES[place] && links.includes(other)),
      ) &&
      (tagged === undefined || (tag_operator === 'all' ? carried === tagged.length : carried > 0))
    );
  }

  function queryOf({ linked = [], tagged, tag_operator }: Asked) {
    const byType = Map.groupBy(linksOf(linked), ({ type }) => type as keyof typeof PARAMETERS);
    return {
      ...Object.fromEntries(
        [...byType].map(([type, some]) => [PARAMETERS[type], some.map(({ id }) => id).join(',')]),
      ),
      ...(tagged ? { tags: tagged.map((place) => tag_ids[place]).join(',') } : {}),
      ...(tag_operator ? { tag_operator } : {}),
    };
  }

  return {
    upload,
    crowd,
    link,
    tag,
    share,
    keeps,
    queryOf,
    setOpen: (to: boolean) => {
      open = to;
    },
    seenBy: (i: number) => uploads.filter((each) => sees(each, i)).map(({ id }) => id),
    isSharedWith: (id: string, i: number) => uploads.some((each) => each.id === id && each.shared.has(i)),
    /** 404 for an event that is hidden. */
    mayAsk: ({ linked }: Asked, i: number) => !linked?.includes(EVENT) || seesEvent(i),
  };
}
