import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionInTag } from '#shared/api/etag.ts';
import { apart, bodyWith, type Change, changes } from '../support/changes.ts';
import { long } from '../support/long.ts';
import { fieldCodes, type RawResponse } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { type Send, senderOf } from '../support/sender.ts';
import { closed, idsAmong, pathWith } from '../support/swept.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** What a `PATCH` does with fields that are sent, not sent and null (docs/specification/requests.md, "Bodies"). */

const times = ['starts_at', 'ends_at', 'all_day', 'starts_on', 'ends_on', 'time_zone'];

/** What else changes with a field. */
const followers: Record<string, string[]> = {
  'agent_configuration.enabled': ['updated_by_user_id'],
  'calendar_event.all_day': times,
  'calendar_event.description_html': ['description'],
  'calendar_event.ends_on': times,
  'calendar_event.starts_on': times,
  'contact.email_addresses': ['last_interaction_at', 'next_interaction_at'],
  'custom_field.indexed': ['status'],
  'deal.contact_ids': ['contacts'],
  'deal.organization_id': ['organization'],
  'deal.pipeline_id': ['stage_id', 'stage', 'stage_moved_at', 'probability'],
  'draft.body': ['body_html'],
  'draft.body_html': ['body'],
  'group.user_ids': ['users', 'member'],
  'organization.domains': ['employments'],
  'organization.name': ['employments'],
  ...Object.fromEntries(
    ['thread', 'deal', 'space', 'milestone', 'calendar_event'].map((link) => [`task.${link}_id`, ['refs']]),
  ),
  'task.contact_ids': ['refs'],
  'task.organization_ids': ['refs'],
};

/** Null hides them from others, but their value is not cleared. */
const unclearable = [
  'calendar_event.ends_on',
  'calendar_event.name',
  'calendar_event.starts_on',
  'user.assistant_enabled',
  'user.notification_digest',
  'user.notification_settings',
];

/** Whether null clears it depends on other fields. */
const bound: Record<string, string> = {
  'calendar_event.time_zone': 'a day has a time zone',
  'contact.name': 'a contact has a name',
  'user.first_name': 'one of both names stays',
};

/** What is in the place of a value that was cleared. */
const instead: Record<string, unknown> = {
  'contact.custom_fields': {},
  'deal.custom_fields': {},
  'deal.probability': expect.any(Number),
  'organization.custom_fields': {},
};

/** Moves of `updated_at` without a change: what is sent is what there was. */
const touching =
  /^(agent_configuration|stage)\.|^(custom_field|pipeline)\.position$|^user\.notification_digest$/;

type Shown = Record<string, unknown>;

/** An eighth of the fields in `npm test`. */
const some = (fields: string[]) => (long ? fields : fields.filter((_, i) => i % 8 === 0));

const canBeRead = ({ template }: Change) =>
  closed.some((each) => each.method === 'GET' && each.template === template);

/** Half of the records in `npm test`. */
const half = long ? changes : changes.filter((_, i) => i % 2 === 0);

describe('a change', () => {
  let workspace: Workspace;
  let send: Send;
  let records: Records;
  beforeAll(async () => {
    workspace = await startWorkspace();
    send = senderOf(workspace);
    records = await createRecords(workspace, workspace.ada);
    const { body } = await workspace.ada.api.createPipeline({ body: { pipeline: { name: 'Another' } } });
    const { id, stages } = body.pipeline;
    records = { ...records, pipelines: id, stages: stages[0]?.id ?? '' };
  });
  afterAll(() => workspace.stop());

  const pathOf = (change: Change) => pathWith(change, idsAmong(change, records)).replace(/\/x$/, '/auto_tag');
  const patch = (change: Change, body: unknown, headers: [string, string][] = []) =>
    send(workspace.ada.session_token, 'PATCH', pathOf(change), { body, headers });
  /** What only lists show, a change of nothing shows. */
  const read = (change: Change) =>
    canBeRead(change)
      ? send(workspace.ada.session_token, 'GET', pathOf(change))
      : patch(change, { [change.wrapper]: {} });
  const shownIn = ({ wrapper }: Change, { status, json }: RawResponse) => {
    expect(status, JSON.stringify(json)).toBe(200);
    return json[wrapper] as Shown;
  };
  const versionOf = ({ headers }: RawResponse) =>
    headers.etag && versionInTag(headers.etag).replaceAll('"', '');
  const differing = (before: Shown, after: Shown) =>
    Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const expectUnchanged = async (change: Change, before: RawResponse) => {
    const after = await read(change);
    expect([after.json, after.headers.etag]).toEqual([before.json, before.headers.etag]);
  };
  const clears = ({ wrapper, nullable }: Change, field: string) => {
    const name = `${wrapper}.${field}`;
    return name in instead || (nullable.includes(field) && !unclearable.includes(name) && !bound[name]);
  };
  const nulls = (fields: string[]) => Object.fromEntries(fields.map((field) => [field, null]));

  it('is made of every record', () => {
    const made = changes.map(({ definition }) => definition.name);
    const patches = closed
      .filter(({ method }) => method === 'PATCH')
      .map(({ definition }) => definition.name);
    expect([...made, ...Object.keys(apart)].sort()).toEqual([...new Set(patches)].sort());
    expect(changes.filter(({ fields }) => fields.length === 0)).toEqual([]);
  });

  it.each(changes)('of nothing, or of an unknown field, changes nothing: $name', async (change) => {
    const before = await read(change);
    const sent = { [change.wrapper]: { no_such_field: 1 } };
    expect((await patch(change, { [change.wrapper]: {} })).status).toBe(200);
    const ignored = await patch(change, sent);
    expect([ignored.status, ignored.headers['ignored-fields']]).toEqual([200, '"no_such_field"']);
    const strict = await patch(change, sent, [['Prefer', 'handling=strict']]);
    expect([strict.status, fieldCodes(strict)]).toEqual([400, { no_such_field: 'not_allowed' }]);
    await expectUnchanged(change, before);
  });

  it.each(changes)('of a field leaves the others, and is what is read then: $name', async (change) => {
    let before = await read(change);
    for (const field of some(change.fields)) {
      const name = `${change.wrapper}.${field}`;
      const answer = await patch(change, bodyWith(change, field, records));
      const answered = shownIn(change, answer);
      const after = await read(change);
      const shown = shownIn(change, after);
      // A change shows null for what only retrieving finds.
      const unlike = differing(answered, shown).filter(
        (each) => answered[each] !== null || change.fields.includes(each),
      );
      expect(unlike, name).toEqual([]);
      const changed = differing(shownIn(change, before), shown).filter((each) => each !== 'updated_at');
      const may = [field, ...(followers[name] ?? [])];
      expect(
        changed.filter((each) => !may.includes(each)),
        name,
      ).toEqual([]);
      if (!touching.test(name)) {
        const moved = changed.length > 0;
        expect(differing(shownIn(change, before), shown).includes('updated_at') && !moved, name).toBe(false);
        if (after.headers.etag) expect([name, versionOf(before) !== versionOf(after)]).toEqual([name, moved]);
      }
      if (answer.headers.etag) expect(versionOf(answer)).toBe(versionOf(after));
      before = after;
    }
  });

  it.each(half)('to null clears: $name', async (change) => {
    const clearable = change.nullable.filter((field) => clears(change, field));
    const bodies = clearable.map((field) => bodyWith(change, field, records) as Record<string, Shown>);
    const filling = Object.assign({}, ...bodies.map((body) => body[change.wrapper]));
    const filled = shownIn(change, await patch(change, { [change.wrapper]: filling }));
    expect(clearable.filter((field) => filled[field] === null)).toEqual([]);
    const cleared = shownIn(change, await patch(change, { [change.wrapper]: nulls(clearable) }));
    for (const field of clearable)
      expect([field, cleared[field]]).toEqual([field, instead[`${change.wrapper}.${field}`] ?? null]);
    const shown = shownIn(change, await read(change));
    expect(differing(cleared, shown).filter((each) => change.fields.includes(each))).toEqual([]);
  });

  it.each(half)('to null is refused where there is always a value: $name', async (change) => {
    const before = await read(change);
    const kept = change.fields.filter(
      (field) => !clears(change, field) && !bound[`${change.wrapper}.${field}`],
    );
    const response = await patch(change, { [change.wrapper]: nulls(kept) });
    expect(fieldCodes(response)).toEqual(Object.fromEntries(kept.map((field) => [field, 'invalid'])));
    expect(response.status).toBe(kept.length > 0 ? 400 : 200);
    await expectUnchanged(change, before);
  });
});
